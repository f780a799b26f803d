import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import {
  breakOff,
  json,
  problem,
  type Scene,
  type ScriptedServer,
  silence,
  startScripted,
} from '../support/scripted-server.ts';

const token = 'a-token-of-more-than-thirty-two-characters';

const two = ['reject', 'npm:a@1.0.0', 'npm:b@1.0.0', '--reason', 'no'];

let commandLine: CommandLine;
let server: ScriptedServer;
beforeAll(() => {
  commandLine = CommandLine.install();
});
afterEach(() => server.close());
afterAll(() => commandLine.remove());

/** Runs the command against a registry that answers as the script says. */
const runAgainst = async (args: readonly string[], ...script: readonly Scene[]) => {
  server = await startScripted(...script);
  const env = { REGISTRY_URL: server.url, REGISTRY_TOKEN: token };
  return commandLine.run(args, { env });
};

describe('a request for several packages', () => {
  const done = { status: 200, package: { status: 'approved' } };
  const failed = {
    status: 500,
    problem: {
      status: 500,
      code: 'internal_error',
      detail: 'The write failed.',
      request_id: 'id-7',
    },
  };
  const names = Array.from({ length: 150 }, (_, at) => `npm:a@1.0.${at}`);
  const answering = (count: number, ...last: readonly object[]): Scene => {
    const results = [...Array.from({ length: count - last.length }, () => done), ...last];
    return json(200, { results });
  };
  const isQuestion = ({ url }: { readonly url?: string | undefined }): boolean =>
    url?.endsWith('/check') === true || url?.endsWith('/project-uses') === true;
  /** The sent requests, without approve's lookups of scans and reject's of projects. */
  const listSent = () => server.received.filter((request) => !isQuestion(request));
  const listKeys = () => listSent().map(({ headers }) => headers['idempotency-key']);
  const sendAgainst = (args: readonly string[], ...script: readonly Scene[]) =>
    runAgainst(args, (response, request) => {
      const scene = script[Math.min(listSent().length, script.length) - 1];
      return (isQuestion(request) ? problem(403, 'forbidden') : scene)?.(response, request);
    });
  const commands: [string, string[]][] = [
    ['submit', []],
    ['approve', ['--reason', 'looked at']],
    ['reject', ['--reason', 'no']],
  ];

  it.each(commands)('is retried with its own key: %s', async (command, flags) => {
    const args = [command, ...names, ...flags];

    const first = await sendAgainst(
      args,
      // One item fails, and then the connection breaks: each batch is sent twice.
      answering(100, failed),
      answering(100),
      breakOff,
      answering(50),
    );
    const keys = listKeys();
    const bodies = listSent().map(({ body }) => body);
    await server.close();
    const again = await sendAgainst(args, answering(100), answering(50));

    expect([first.code, again.code]).toEqual([0, 0]);
    const [one, , other] = keys;
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(other).not.toBe(one);
    expect(keys).toEqual([one, one, other, other]);
    expect(bodies[1]).toBe(bodies[0]);
    expect(bodies[3]).toBe(bodies[2]);
    // The same command continues after an interruption.
    expect(listKeys()).toEqual([one, other]);
  });

  it('says at Ctrl-C what was done, and what was not', async () => {
    server = await startScripted(answering(100), silence);
    const terminal = commandLine.inTerminal(['submit', ...names], {
      env: { REGISTRY_URL: server.url, REGISTRY_TOKEN: token },
    });
    await terminal.shows('100 of 150 sent');

    terminal.type('\u0003');

    await terminal.shows('100 approved.');
    await terminal.shows('50 were not sent, or got no answer. Run the same command again');
    expect(await terminal.end()).toBe(130);
  });

  it('says what was done, and what was not, if the registry is gone', async () => {
    const args = ['reject', ...names, '--reason', 'no'];

    const { code, stderr } = await sendAgainst(args, answering(100), breakOff);

    expect(code).toBe(3);
    expect(stderr).toMatch(/^100 approved\.\nwarning: 50 were not sent, or got no answer\./);
  });

  it('derives its keys from the given one', async () => {
    const args = ['approve', ...names, '--idempotency-key', 'mine'];
    const keys: unknown[] = [];
    for (const given of [args, args, args.with(-1, 'another'), args.slice(0, -2)]) {
      await sendAgainst(given, answering(100), answering(50));
      keys.push(listKeys());
      await server.close();
    }

    const [one, same, ...others] = keys;
    expect(same).toEqual(one);
    expect(new Set([one, ...others].flat()).size).toBe(6);
  });

  it.each(commands.slice(0, 2))(
    'lists failed packages and exits with 3: %s',
    async (command, flags) => {
      const args = [command, 'npm:a@1.0.0', 'npm:b@2.0.0', ...flags];

      const { code, stdout, stderr } = await sendAgainst(args, answering(2, failed));

      expect(code).toBe(3);
      expect(stdout).toMatch(/^failed +npm:b@2\.0\.0 +The write failed\.$/m);
      expect(stderr).toContain('1 approved, 1 failed.\n');
      expect(stderr).toContain('The write failed.');
      // It is retried a limited number of times.
      expect(new Set(listKeys()).size).toBe(1);
      expect(listSent()).toHaveLength(4);
    },
  );

  it('lists failed packages in JSON', async () => {
    const args = ['reject', 'npm:a@1.0.0', 'npm:b@2.0.0', '--reason', 'no', '--json'];

    const { code, stdout } = await sendAgainst(args, answering(2, failed));

    expect(code).toBe(3);
    expect(JSON.parse(stdout).results).toEqual([
      { ecosystem: 'npm', name: 'a', version: '1.0.0', ...done },
      { ecosystem: 'npm', name: 'b', version: '2.0.0', ...failed },
    ]);
  });
});

describe('answers to several packages', () => {
  const replayed = { status: 200, package: { status: 'rejected' }, replayed: true };
  const unused = { projects: 0, projects_at_least: false, used_by: [] };
  const refused = { status: 409, problem: { code: 'decision_in_force', detail: 'It is already.' } };

  it('that are replayed after a lost answer belong to this command', async () => {
    const { code, stderr } = await runAgainst(
      two,
      breakOff,
      json(200, { results: [replayed, replayed] }),
      json(200, { packages: [unused, unused] }),
      problem(500, 'internal_error'),
    );

    expect({ code, stderr }).toEqual({ code: 0, stderr: '2 rejected.\n' });
    expect(server.received).toHaveLength(3);
  });

  it('from an earlier run stay if the registry confirms them', async () => {
    const { code, stderr } = await runAgainst(
      two,
      json(200, { results: [replayed, replayed] }),
      json(200, { results: [refused, refused] }),
    );

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        '2 rejected.\nwarning: 2 of 2 were decided by an earlier run, and are still in force.\n',
    });
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });

  it('from an earlier run are shown if a later request fails', async () => {
    const names = Array.from({ length: 150 }, (_, at) => `npm:a@1.0.${at}`);

    const { code, stderr } = await runAgainst(
      ['reject', ...names, '--reason', 'Not needed'],
      json(200, { results: names.slice(50).map(() => replayed) }),
      problem(403, 'forbidden'),
    );

    expect(code).toBe(1);
    expect(stderr).toMatch(/^100 rejected\.\nwarning: 100 of 100 are answers of an earlier run/);
  });

  it('from an earlier run are used after an interrupted confirmation', async () => {
    const names = Array.from({ length: 150 }, (_, at) => `npm:a@1.0.${at}`);
    const [first, second] = [100, 50].map((length) => ({
      results: Array.from({ length }, () => replayed),
    }));

    const { code, stderr } = await runAgainst(
      ['reject', ...names, '--reason', 'Not needed'],
      json(200, first),
      json(200, second),
      json(200, { results: names.slice(50).map(() => refused) }),
      problem(403, 'forbidden'),
    );

    expect(code).toBe(1);
    expect(stderr).toMatch(/^100 rejected\.\nwarning: 100 of 100 were decided by an earlier run/);
  });

  it.each([
    ['too few', { results: [replayed] }],
    ['too many', { results: [replayed, replayed, replayed] }],
    ['none', {}],
    ['invalid ones', { results: [null, replayed] }],
  ])('cause an error if there are %s', async (_, answer) => {
    const { code, stderr } = await runAgainst(two, json(200, answer));

    expect(code).toBe(3);
    expect(stderr).toMatch(/one result for each of 2 packages.*\nThe URL came from REGISTRY_URL/);
  });
});
