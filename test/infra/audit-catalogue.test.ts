import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, expect, it } from 'vitest';
import { writeRunningStack } from '../../infra/local/running-stack.ts';
import { AuditReport } from '../../shared/api/schemas/audit.ts';
import { makeFastFolder } from '../support/fast-folder.ts';
import { type StandIn, serveStandIn } from '../support/stand-in.ts';

const folder = makeFastFolder('audit-catalogue-');
let standIn: StandIn | undefined;
afterEach(() => standIn?.close());
afterAll(() => rmSync(folder, { recursive: true }));

const clean = AuditReport.parse({ done: true });
const mended = AuditReport.parse({
  repair: true,
  done: true,
  found: { wrong_row: 1 },
  repaired: 1,
});
const stillWrong = AuditReport.parse({ done: true, found: { wrong_row: 1 } });

/** Runs the audit with --repair against a function that gives these answers, one after the other. */
const repair = async (answers: readonly AuditReport[]) => {
  const requests: unknown[] = [];
  standIn = await serveStandIn(async (request, response) => {
    requests.push(JSON.parse(await text(request)));
    response.end(JSON.stringify(answers[requests.length - 1]));
  });
  writeRunningStack(folder, {
    url: standIn.url,
    lambda: standIn.url,
    aws: { endpoint: '', credentials: { accessKeyId: '', secretAccessKey: '', sessionToken: '' } },
    outputs: { AuditCatalogueFunctionName: 'audit' },
  });
  const audit = spawn(process.execPath, ['infra/audit-catalogue.ts', '--data', folder, '--repair']);
  const [output, [code]] = await Promise.all([text(audit.stdout), once(audit, 'close')]);
  return { code, output, requests };
};

it('looks a second time after a repair, without mending, and says that all agrees then', async () => {
  const { code, output, requests } = await repair([mended, clean]);

  expect(requests).toEqual([{ repair: true }, { repair: false }]);
  expect(output).toMatch(/Mended 1\.\nA second look:\n.*\nEverything agrees\.\n$/s);
  expect(code).toBe(0);
});

it('exits with 1 when the second look finds what the repair should have mended', async () => {
  const { code } = await repair([mended, stillWrong]);

  expect(code).toBe(1);
});

it('looks once where nothing is wrong', async () => {
  const { code, requests } = await repair([clean]);

  expect(requests).toHaveLength(1);
  expect(code).toBe(0);
});
