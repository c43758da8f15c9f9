// The exported names of an entry point, with their docstrings and declarations, read from the built declarations.
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5';

/** A name and what stands in the declarations about it. */
export interface Documented {
  readonly name: string;
  /** The folder of its file below lib/: `model`, `trick/wire`; empty for a file in lib/ itself. */
  readonly folder: string;
  /** Its docstring; empty when it has none. */
  readonly about: string;
  /** What the docstring says of parameters and errors, each as `@throws ...`. */
  readonly tags: readonly string[];
  /** Its declarations, with the docstrings of its members. */
  readonly text: string;
  /** Names of this project that the declarations use. */
  readonly uses: readonly string[];
}

export interface EntryPoint {
  readonly exported: readonly Documented[];
  /** What is not exported, and stands in the declarations of what is. */
  readonly used: readonly Documented[];
}

const BUILD = fileURLToPath(new URL('../../', import.meta.url));
const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  // The names of the project are all that counts, so neither the library nor packages are read.
  noLib: true,
  types: [],
};

/** @param files declarations below build/, such as `lib/index.d.ts`. */
export function readEntryPoints(files: readonly string[]): EntryPoint[] {
  const paths = files.map((file) => `${BUILD}${file}`);
  const program = ts.createProgram(paths, OPTIONS);
  const checker = program.getTypeChecker();
  return paths.map((path) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(path) as ts.SourceFile) as ts.Symbol;
    const symbols = new Map(checker.getExportsOfModule(module).map((symbol) => [symbol, origin(checker, symbol)]));
    const names = new Map([...symbols].map(([{ name }, symbol]) => [symbol, name]));
    const used = [...names.keys()].flatMap((symbol) => namedIn(checker, symbol)).filter((symbol) => !names.has(symbol));
    const all = (some: Iterable<ts.Symbol>) =>
      sorted([...some].map((symbol) => withExportedNames(documented(checker, symbol), names)));
    return { exported: all(names.keys()), used: all(new Set(used)) };
  });
}

/** What is exported under another name has that name wherever it stands. */
function withExportedNames(one: Documented, names: ReadonlyMap<ts.Symbol, string>): Documented {
  const renamed = new Map([...names].map(([symbol, name]) => [symbol.name, name]));
  const said = (text: string): string => text.replace(/\b[A-Z]\w+\b/g, (word) => renamed.get(word) ?? word);
  return { ...one, name: said(one.name), text: said(one.text), uses: one.uses.map(said) };
}

const sorted = (all: readonly Documented[]): Documented[] =>
  [...all].sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1));

const origin = (checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** The symbols of this project that the public part of a declaration names, each once. */
function namedIn(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol[] {
  const names = new Set<ts.Symbol>();
  const visit = (node: ts.Node): void => {
    if (isHidden(node)) return;
    const named = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (named) names.add(origin(checker, named));
    ts.forEachChild(node, visit);
  };
  for (const declaration of symbol.declarations ?? []) visit(declaration);
  names.delete(symbol);
  return [...names].filter(isOfProject);
}

function isOfProject({ flags, declarations = [] }: ts.Symbol): boolean {
  const isNamed = flags & (ts.SymbolFlags.Type | ts.SymbolFlags.Variable | ts.SymbolFlags.Function);
  const isParameter = flags & ts.SymbolFlags.TypeParameter;
  return (
    Boolean(isNamed) &&
    !isParameter &&
    declarations.some(
      (declaration) =>
        declaration.getSourceFile().fileName.startsWith(`${BUILD}lib/`) &&
        ts.isSourceFile(statementOf(declaration).parent),
    )
  );
}

/** The whole statement of a constant, of which the declaration is only a part. */
function statementOf(declaration: ts.Declaration): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

function documented(checker: ts.TypeChecker, symbol: ts.Symbol): Documented {
  const declarations = symbol.declarations ?? [];
  const file = declarations[0]?.getSourceFile().fileName ?? '';
  const tags = symbol.getJsDocTags(checker).map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text)}`.trim());
  return {
    name: symbol.name,
    folder: file.startsWith(`${BUILD}lib/`) ? file.slice(`${BUILD}lib/`.length).split('/').slice(0, -1).join('/') : '',
    about: ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim(),
    tags: [...new Set(tags)],
    text: declarations.map((declaration) => publicText(statementOf(declaration))).join('\n'),
    uses: namedIn(checker, symbol).map((used) => used.name),
  };
}

/** Members that are no part of the interface. */
const isHidden = (node: ts.Node): boolean =>
  (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)) ||
  ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');

function publicText(statement: ts.Node): string {
  const source = statement.getSourceFile().text;
  const start = statement.getStart();
  let text = '';
  let from = start;
  if (ts.isClassDeclaration(statement)) {
    for (const member of statement.members.filter(isHidden)) {
      text += source.slice(from, member.getFullStart());
      from = member.end;
    }
  }
  text += source.slice(from, statement.end);
  return text.replace(/^(export )?(declare )?/, '').replace(/^( {4})+/gm, (indent) => '  '.repeat(indent.length / 4));
}
