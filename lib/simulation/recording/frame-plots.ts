// Pages of plots of a frame log, for Trick's data products. Trick: FrameLog::create_DP_files

/** The columns of the tables. */
interface Plotted {
  readonly frame: readonly string[];
  readonly users: readonly string[];
  readonly own: readonly string[];
}

const DIRECTORY = 'DP_Product';
const PLOTS_OF_PAGE = 6;
const TIME = 'sys.exec.out.time';

export const PLOT_HEAD = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE product PUBLIC "-//Tricklab//DTD Product V1.0//EN" "Product.dtd">
`;

/** Each file's name in the run directory, and its text. */
export function framePlots({ frame, users, own }: Plotted): readonly (readonly [name: string, text: string])[] {
  const ids = (stem: string): string[] => ['user', 'trick'].map((who) => `trick_frame_log.frame_log.job_${who}${stem}`);
  return [
    ['DP_rt_frame', product('Real-Time Frame Overrun/Underrun History', frame)],
    ['DP_rt_userjobs', product('User Job Execution History', users)],
    ['DP_rt_trickjobs', product('Trick Job Execution History', own)],
    ['DP_rt_timeline', product('Job Timeline', ids('_id'))],
    ['DP_rt_timeline_init', product('Non-cyclic Job Timeline', ids('init_id'))],
  ].map(([name, text]) => [`${DIRECTORY}/${name}.xml`, text as string]);
}

function product(title: string, variables: readonly string[]): string {
  const pages = Array.from({ length: Math.ceil(variables.length / PLOTS_OF_PAGE) }, (_, page) =>
    variables.slice(page * PLOTS_OF_PAGE, (page + 1) * PLOTS_OF_PAGE),
  );
  return `${PLOT_HEAD}
<product version="1.0">
    <title>${title}</title>
${pages.map((plots) => pageOf(title, plots)).join('')}</product>
`;
}

const pageOf = (title: string, variables: readonly string[]): string => `    <page>
        <title>${title}</title>
${variables.map(plotOf).join('')}    </page>
`;

const plotOf = (variable: string): string => `        <plot grid="yes">
            <title>${variable}</title>
            <xaxis> <label>Time</label> <units>s</units> </xaxis>
            <yaxis> <label>${variable.endsWith('_id') ? 'Job Id' : 'Execution Time'}</label> </yaxis>
            <curve>
                <var>${TIME}</var>
                <var line_color="red">${variable}</var>
            </curve>
        </plot>
`;
