import { expect, it } from 'vitest';
import { reportUnreachableOnce } from '../../../infra/local/unreachable-hosts.ts';

const failed = (version: string, host = 'osv.example.com'): string =>
  `{"event":"scan_failed","version":"${version}","reason":"The connection to ${host} failed (ENOTFOUND)"}`;
const nothing = 'Error: None of 10 versions could be scanned; all are tried again';

it('reports an unreachable host once, and passes other lines on', () => {
  const lines: string[] = [];
  const log = reportUnreachableOnce((source, line) => lines.push(`${source} ${line}`));

  log('other', nothing, 'stderr');
  log('scan', failed('1.0.0'), 'stdout');
  log('scan', failed('2.0.0'), 'stdout');
  log('scan', nothing, 'stderr');
  log('scan', '{"event":"scan_failed","reason":"It answered 500"}', 'stdout');
  log('facts', failed('1.0.0', 'origin.example.com'), 'stdout');

  expect(lines).toEqual([
    `other ${nothing}`,
    'scan osv.example.com cannot be reached (ENOTFOUND): requests are retried later. npm start -- --offline sends no requests.',
    'scan {"event":"scan_failed","reason":"It answered 500"}',
    'facts origin.example.com cannot be reached (ENOTFOUND): requests are retried later.',
  ]);
});
