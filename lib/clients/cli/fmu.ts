// `varwire fmu info`: what is in an FMU.
import { type Survey, surveyFmu } from '../../simulation/fmu/survey.js';
import { OUTPUT_OPTIONS } from './client-options.js';
import { type CommandLine, parseLine } from './command-line.js';
import { outputForm } from './rows.js';
import { tableText } from './table.js';
import { UsageError } from './usage.js';
import { jsonText, printableLines } from './value-text.js';

const FMU: CommandLine = {
  name: 'fmu',
  takes: 'info <file>',
  about:
    'Prints what an FMU is and can do, what of it does not work here, and its variables as clients would see them.',
  options: OUTPUT_OPTIONS,
};

export async function fmuCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(FMU, args);
  if (!given) return;
  const [what, file, ...others] = given.words;
  if (what !== 'info' || file === undefined || others.length > 0)
    throw new UsageError('varwire fmu takes the word info and one file: varwire fmu info engine.fmu');
  const survey = surveyFmu(file);
  if (outputForm(given) === 'json') return console.log(jsonText(survey, 2));
  const table = tableText(given, survey.variables, {
    name: (row) => row.name,
    units: (row) => row.units,
    type: (row) => row.type,
    written: (row) => row.written,
    start: (row) => row.start,
    'in the FMU': (row) => row.inFmu,
    about: (row) => row.about,
  });
  if (outputForm(given) === 'csv') console.log(table);
  else console.log(`${printableLines(sentences(survey).join('\n'))}\n\n${table}`);
}

function sentences({
  file,
  modelName,
  fmiVersion,
  tool,
  about,
  stepSeconds,
  ways,
  platforms,
  lacks,
}: Survey): string[] {
  return [
    `${file}: ${modelName}, FMI ${fmiVersion}${tool === '' ? '' : `, made by ${tool}`}`,
    ...(about === '' ? [] : [about]),
    ...ways.map(({ kind, facts, obstacles }) =>
      obstacles.length > 0 ? `no ${kind} here: ${obstacles.join('; ')}` : `${kind}: ${facts.join('; ')}`,
    ),
    `binaries for ${platforms.join(', ') || 'nothing'}`,
    ...(stepSeconds === undefined ? [] : [`steps of ${stepSeconds} s, if nothing else is said`]),
    ...lacks,
  ];
}
