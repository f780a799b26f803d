import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, expect, it } from 'vitest';
import { writeRunningStack } from '../../infra/local/running-stack.ts';
import { IntegrityReport } from '../../shared/api/schemas/integrity.ts';
import { makeFastFolder } from '../support/fast-folder.ts';
import { type StandIn, serveStandIn } from '../support/stand-in.ts';

const folder = makeFastFolder('check-integrity-');
let standIn: StandIn | undefined;
afterEach(() => standIn?.close());
afterAll(() => rmSync(folder, { recursive: true }));

const clean = IntegrityReport.parse({ done: true });
const repaired = IntegrityReport.parse({
  repair: true,
  done: true,
  found: { wrong_row: 1 },
  repaired: 1,
});
const stillWrong = IntegrityReport.parse({ done: true, found: { wrong_row: 1 } });

/** Runs the integrity check with --repair against a function that gives these answers, one after the other. */
const repair = async (
  answers: readonly IntegrityReport[],
  target: readonly string[] = ['--data', folder],
) => {
  const requests: unknown[] = [];
  const urls: string[] = [];
  standIn = await serveStandIn(async (request, response) => {
    urls.push(request.url ?? '');
    requests.push(JSON.parse(await text(request)));
    response.end(JSON.stringify(answers[requests.length - 1]));
  });
  writeRunningStack(folder, {
    url: standIn.url,
    lambda: standIn.url,
    aws: { endpoint: '', credentials: { accessKeyId: '', secretAccessKey: '', sessionToken: '' } },
    outputs: { CheckIntegrityFunctionName: 'check-integrity' },
  });
  const check = spawn(process.execPath, ['infra/check-integrity.ts', ...target, '--repair'], {
    env: {
      AWS_ENDPOINT_URL_LAMBDA: standIn.url,
      ...{ AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' },
    },
  });
  const [output, [code]] = await Promise.all([text(check.stdout), once(check, 'close')]);
  return { code, output, requests, urls };
};

it('checks again after a repair, without another repair, and reports no problem', async () => {
  const { code, output, requests } = await repair([repaired, clean]);

  expect(requests).toEqual([{ repair: true }, { repair: false }]);
  expect(output).toMatch(/Repaired 1\.\nSecond check:\n.*\nNo problems found\.\n$/s);
  expect(code).toBe(0);
});

it('checks a deployment by the name of its function', async () => {
  const { code, requests, urls } = await repair([clean], ['--function', 'acme-check']);

  expect(urls).toEqual(['/2015-03-31/functions/acme-check/invocations']);
  expect(requests).toEqual([{ repair: true }]);
  expect(code).toBe(0);
});

it('exits with 1 if the second check finds a remaining problem', async () => {
  const { code } = await repair([repaired, stillWrong]);

  expect(code).toBe(1);
});

it('checks only once without a problem', async () => {
  const { code, requests } = await repair([clean]);

  expect(requests).toHaveLength(1);
  expect(code).toBe(0);
});
