import { expect, it } from 'vitest';
import { attention, nothing } from '../../shared/api/openapi/examples/scans.ts';
import { CommandLine } from '../support/command-line.ts';
import { json, startScripted } from '../support/scripted-server.ts';

it('lists the record of a recalled version, and the vulnerabilities of the others', async () => {
  const axios = { ecosystem: 'npm', name: 'axios', version: '1.14.1' };
  const { since } = attention;
  const recalled = {
    ...{ ...axios, since, reasons: ['recalled'], recall: 'MAL-2026-2307', severity: nothing },
  };
  const server = await startScripted(json(200, { attention: [recalled, attention], next: null }));
  const commandLine = CommandLine.install({ REGISTRY_URL: server.url });

  const { code, stdout } = await commandLine.run(['attention']);

  expect({ code, rows: stdout.trimEnd().split('\n') }).toEqual({
    code: 0,
    rows: [
      'PACKAGE             SINCE UTC         WHY',
      'npm:axios@1.14.1    2026-11-20 03:00  recalled: MAL-2026-2307',
      'npm:lodash@4.17.20  2026-11-20 03:00  1 high',
    ],
  });
  commandLine.remove();
  await server.close();
});
