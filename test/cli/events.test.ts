import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { withoutPauses } from '../support/function-clocks.ts';
import {
  json,
  problem,
  type Scene,
  type ScriptedServer,
  startScripted,
} from '../support/scripted-server.ts';

let commandLine: CommandLine;
let server: ScriptedServer | undefined;
beforeAll(async () => {
  commandLine = CommandLine.install();
});
afterAll(() => commandLine.remove());
afterEach(() => server?.close());

const submission = {
  ...{ type: 'package.submitted', at: '2026-01-31T12:00:00.123Z', ecosystem: 'npm' },
  ...{ name: 'left-pad', version: '1.3.0', license: null, by: 'ana', from: null, to: 'pending' },
  ...{ reason: null, expires_at: null, vulnerability: null, acceptance: null },
};
const approval = {
  ...{ ...submission, type: 'package.approved', by: 'ben', from: 'pending', to: 'approved' },
  ...{ reason: 'Tests\nonly', expires_at: '2027-01-31T00:00:00.000Z' },
};
const license = {
  ...{ ...submission, type: 'license.decided', ecosystem: null, name: null, version: null },
  ...{ license: 'EPL-2.0', by: null, from: 'conditional', to: 'approved' },
};
const attention = {
  ...{ ...submission, type: 'package.attention', by: null, from: 'approved', to: 'approved' },
  reason: '1 critical vulnerability (policy: fail from high).',
};
const dismissal = {
  ...{ ...submission, type: 'scan.dismissed', from: 'approved', to: 'approved' },
  reason: 'The wrong image',
};

const accepted = {
  ...{ ...submission, type: 'vulnerability.accepted', vulnerability: 'CVE-2024-1', version: null },
  ...{ to: 'accepted', expires_at: '2027-01-31T00:00:00.000Z' },
};
const ended = {
  ...{ ...accepted, type: 'acceptance.ended', ecosystem: null, name: null, by: null },
  ...{ from: 'accepted', to: 'expired' },
};

/** The registry's answer with the given number of events. */
const withEvents = (count: () => number, kinds: readonly object[] = [submission]): Scene => {
  return (response, request) => {
    const { searchParams } = new URL(request.url ?? '', 'http://registry');
    const last = searchParams.get('last');
    const after =
      last === null ? Number(searchParams.get('after') ?? 0) : Math.max(0, count() - Number(last));
    const limit = Number(searchParams.get('limit') ?? 100);
    const length = Math.max(0, Math.min(limit, count() - after));
    const events = Array.from({ length }, (_, at) => {
      const sequence = after + at + 1;
      return { sequence, id: `id-${sequence}`, ...kinds[(sequence - 1) % kinds.length] };
    });
    json(200, { events, next: after + length })(response, request);
  };
};

const start = async (...script: readonly Scene[]) => {
  server = await startScripted(...script);
  return { REGISTRY_URL: server.url };
};

const sequencesOf = (stdout: string): number[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).sequence);

/** The running command, until the test stops it. */
const follow = (args: readonly string[], env: Record<string, string>) => {
  const child = commandLine.start(['events', '--follow', '--jsonl', ...args], {
    env: { ...env, ...withoutPauses },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  /** Waits until it has written events of these sequences, and no others. */
  const shows = (sequences: readonly number[]): Promise<void> =>
    expect.poll(() => sequencesOf(stdout)).toEqual(sequences);
  return { shows, stderr: () => stderr, stop: () => child.kill('SIGINT') };
};

describe('events', () => {
  it('are one line each, with the command for the next page', async () => {
    const kinds = [submission, approval, license, attention, dismissal, accepted, ended];
    const env = await start(withEvents(() => 7, kinds));

    const { code, stdout, stderr } = await commandLine.run(['events'], { env });

    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      '     1  2026-01-31T12:00:00Z  npm:left-pad@1.3.0 submitted by ana',
      '     2  2026-01-31T12:00:00Z  npm:left-pad@1.3.0 approved by ben until 2027-01-31T00:00:00Z "Tests only"',
      '     3  2026-01-31T12:00:00Z  license EPL-2.0 approved (was conditional)',
      '     4  2026-01-31T12:00:00Z  npm:left-pad@1.3.0 needs attention "1 critical vulnerability (policy: fail from high)."',
      '     5  2026-01-31T12:00:00Z  npm:left-pad@1.3.0 scans dismissed by ana "The wrong image"',
      '     6  2026-01-31T12:00:00Z  CVE-2024-1 in npm:left-pad vulnerability accepted by ana until 2027-01-31T00:00:00Z',
      '     7  2026-01-31T12:00:00Z  CVE-2024-1 acceptance ended',
      '',
    ]);
    expect(stderr).toBe('--after 7 shows the next events.\n');
  });

  it('are read from the last ones on with --last and --all', async () => {
    const env = await start((response, request) => {
      const { searchParams } = new URL(request.url ?? '', 'http://registry');
      const isBoth = searchParams.has('last') && searchParams.has('after');
      (isBoth ? problem(400, 'validation_failed') : withEvents(() => 2500))(response, request);
    });

    const args = ['events', '--last', '1200', '--all', '--jsonl'];
    const { code, stdout } = await commandLine.run(args, { env });

    expect(code).toBe(0);
    expect(sequencesOf(stdout)).toEqual(Array.from({ length: 1200 }, (_, at) => 1301 + at));
  });

  it('are all read with --all', async () => {
    const env = await start(withEvents(() => 2500));

    const { stdout } = await commandLine.run(['events', '--all', '--jsonl'], { env });

    expect(sequencesOf(stdout)).toEqual(Array.from({ length: 2500 }, (_, at) => at + 1));
  });
});

describe('events --follow', () => {
  it.each([
    [0, []],
    [3, [1, 2, 3]],
    [1000, Array.from({ length: 10 }, (_, at) => 991 + at)],
    [123_456, Array.from({ length: 10 }, (_, at) => 123_447 + at)],
  ])('begins with the last 10 of %i, and continues', async (count, last) => {
    let there = count;
    const env = await start(withEvents(() => there));
    const following = follow([], env);
    await expect.poll(() => server?.received.length).toBeGreaterThan(1);
    await following.shows(last);
    there += 1;

    await following.shows([...last, count + 1]);

    following.stop();
  });

  it.each([
    [
      ['--after', '1'],
      [2, 3],
    ],
    [
      ['--last', '2'],
      [2, 3],
    ],
  ])('begins at the event of the flags: %j', async (args, expected) => {
    const following = follow(args, await start(withEvents(() => 3)));

    await following.shows(expected);

    following.stop();
  });

  it('waits during a fault, warns once, and misses no event', async () => {
    let answers = 0;
    const whole = withEvents(() => (answers > 9 ? 5 : 3));
    const env = await start((response, request) => {
      answers += 1;
      const isAway = answers > 1 && answers <= 9;
      (isAway ? problem(500, 'internal_error') : whole)(response, request);
    });
    const following = follow(['--after', '0'], env);

    await following.shows([1, 2, 3, 4, 5]);

    following.stop();
    expect(following.stderr()).toBe(
      'warning: Told: internal_error. Waiting until the registry answers.\n',
    );
  });

  it('exits if the first request fails or the registry refuses', async () => {
    const env = await start(problem(400, 'validation_failed'));

    const nowhere = { REGISTRY_URL: 'http://127.0.0.1:9' };
    const unreachable = await commandLine.run(['events', '--follow'], { env: nowhere });
    const refused = await commandLine.run(['events', '--follow'], { env });

    expect([unreachable.code, refused.code]).toEqual([3, 1]);
  });

  it('ends at Ctrl-C', async () => {
    const env = await start(withEvents(() => 3));
    const terminal = commandLine.inTerminal(['events', '--follow'], { env });

    await terminal.shows('     3  2026-01-31T12:00:00Z  npm:left-pad@1.3.0 submitted by ana');
    terminal.type('\u0003');

    await terminal.end();
  });

  it.each([
    [['--json'], '--jsonl'],
    [['--all'], '--follow --after 0'],
    [['--limit', '1'], 'give --last with it'],
    [['--after', '1', '--last', '1'], 'both set the first event'],
  ])('refuses %j, and says what is right', async (args, expected) => {
    const env = { REGISTRY_URL: 'http://127.0.0.1:9' };

    const { code, stderr } = await commandLine.run(['events', '--follow', ...args], { env });

    expect(code).toBe(2);
    expect(stderr).toContain(expected);
  });
});
