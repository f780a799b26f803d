import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import {
  breakOff,
  json,
  problem,
  type Scene,
  type ScriptedServer,
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

describe('answers to several packages', () => {
  const replayed = { status: 200, package: { status: 'rejected' }, replayed: true };
  const refused = { status: 409, problem: { code: 'decision_in_force', detail: 'It is already.' } };

  it('that come from memory because the first one got lost are those of this command', async () => {
    const { code, stderr } = await runAgainst(
      two,
      breakOff,
      json(200, { results: [replayed, replayed] }),
      problem(500, 'internal_error'),
    );

    expect({ code, stderr }).toEqual({ code: 0, stderr: '2 rejected.\n' });
    expect(server.received).toHaveLength(2);
  });

  it('from before stay where the registry, asked anew, says that it is so', async () => {
    const { code, stderr } = await runAgainst(
      two,
      json(200, { results: [replayed, replayed] }),
      json(200, { results: [refused, refused] }),
    );

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '2 rejected.\nwarning: 2 of 2 were decided so before, and are so still.\n',
    });
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });

  it('from before are shown where nothing more can be asked', async () => {
    const names = Array.from({ length: 150 }, (_, at) => `npm:a@1.0.${at}`);

    const { code, stderr } = await runAgainst(
      ['reject', ...names, '--reason', 'Not needed'],
      json(200, { results: names.slice(50).map(() => replayed) }),
      problem(403, 'forbidden'),
    );

    expect(code).toBe(1);
    expect(stderr).toMatch(/^100 rejected\.\nwarning: 100 of 100 are answers from before/);
  });

  it('from before are gone on with where asking anew is interrupted', async () => {
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
    expect(stderr).toMatch(/^100 rejected\.\nwarning: 100 of 100 were decided so before/);
  });

  it.each([
    ['too few', { results: [replayed] }],
    ['too many', { results: [replayed, replayed, replayed] }],
    ['none', {}],
    ['what is none', { results: [null, replayed] }],
  ])('are not believed where there are %s', async (_, answer) => {
    const { code, stderr } = await runAgainst(two, json(200, answer));

    expect(code).toBe(3);
    expect(stderr).toMatch(/one result for each of 2 packages.*\nThe URL came from REGISTRY_URL/);
  });
});
