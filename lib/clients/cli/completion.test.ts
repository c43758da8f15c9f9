// The completion in a real bash, with a server that a function stands in for.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const COMMAND = fileURLToPath(new URL('./main.js', import.meta.url));

describe('the completion for bash', () => {
  let directory: string;
  before(function () {
    if (spawnSync('bash', ['--version']).status !== 0) this.skip();
    directory = mkdtempSync(join(tmpdir(), 'completion-'));
    const script = execFileSync(process.execPath, [COMMAND, 'completion', 'bash'], { encoding: 'utf8' });
    // It shows which server is asked, and has two variables, a name that would run a program, two functions, an enumeration.
    const server = `varwire() { case "$1 $2" in
      call*) printf 'kick(vx: double, vy: double)\\tmoves it\\nkeep_%s(...)\\n' "$2" ;;
      describe*) printf 'name\\t%s\\ntype\\tMode\\nlabels\\t{"OFF":0,"ON_%s":1}\\n' "$3" "$3" ;;
      *--help) printf -- '--json   print JSON\\n--cycle <seconds>   time, see --json\\n' ;;
      *) printf 'ball.%s\\tdouble\\nball.x\\tdouble\\nball.$(touch ${directory}/ran)\\tint\\n*\\tint\\n' "at_$2" ;;
    esac; }`;
    const complete = `COMP_LINE=$1; COMP_POINT=\${#1}; _varwire; printf '%s\\n' "\${COMPREPLY[@]}"`;
    writeFileSync(join(directory, 'complete.sh'), [script, server, complete].join('\n'));
  });
  after(() => directory && rmSync(directory, { recursive: true }));

  function completed(line: string, server?: string): string[] {
    const { VARWIRE_SERVER: _, ...rest } = process.env;
    const env = server === undefined ? rest : { ...rest, VARWIRE_SERVER: server };
    const text = execFileSync('bash', [join(directory, 'complete.sh'), line], { encoding: 'utf8', env });
    return text.split('\n').filter(Boolean);
  }

  it('knows commands, files, and the names of the server that the line or the environment names', () => {
    expect(completed('varwire mon')).to.deep.equal(['monte-carlo']);
    expect(completed('varwire help comp')).to.deep.equal(['completion']);
    expect(completed('varwire get localhost:7000 ball.')).to.deep.equal(['ball.at_localhost:7000', 'ball.x']);
    expect(completed('varwire get 7001 ball.x ')).to.deep.equal(['ball.at_7001', 'ball.x']);
    expect(completed('varwire set ball.', '7002')).to.deep.equal(['ball.at_7002', 'ball.x']);
    expect(completed('varwire get ball.x ball.a', '7002')).to.deep.equal(['ball.at_7002']);
    expect(completed('varwire get ball.')).to.deep.equal([]);
    expect(completed(`varwire info ${directory}/comp`)).to.deep.equal([`${directory}/complete.sh`]);
    expect(existsSync(join(directory, 'ran'))).to.equal(false);
  });

  it('knows options, functions and labels', () => {
    expect(completed('varwire watch 7000 ball.x --')).to.deep.equal(['--cycle', '--json']);
    expect(completed('varwire run sims/ball --c')).to.deep.equal(['--cycle']);
    expect(completed('varwire call localhost:7000 k')).to.deep.equal(['kick', 'keep_localhost:7000']);
    expect(completed('varwire call ke', '7002')).to.deep.equal(['keep_7002']);
    expect(completed('varwire call 7000 kick ')).to.deep.equal([]);
    expect(completed('varwire set 7000 mode ')).to.deep.equal(['OFF', 'ON_mode']);
    expect(completed('varwire set mode ON', '7002')).to.deep.equal(['ON_mode']);
  });
});
