import { expect, it } from 'vitest';
import { tellUnreachableOnce } from '../../../infra/local/unreachable-hosts.ts';

const failed = (version: string, host = 'osv.example.com'): string =>
  `{"event":"scan_failed","version":"${version}","reason":"The connection to ${host} failed (ENOTFOUND)"}`;
const nothing = 'Error: None of 10 versions could be scanned; all are tried again';

it('tells once that a host cannot be reached, and passes on all else', () => {
  const told: string[] = [];
  const log = tellUnreachableOnce((source, line) => told.push(`${source} ${line}`));

  log('other', nothing, 'stderr');
  log('scan', failed('1.0.0'), 'stdout');
  log('scan', failed('2.0.0'), 'stdout');
  log('scan', nothing, 'stderr');
  log('scan', '{"event":"scan_failed","reason":"It answered 500"}', 'stdout');
  log('facts', failed('1.0.0', 'origin.example.com'), 'stdout');

  expect(told).toEqual([
    `other ${nothing}`,
    'scan osv.example.com cannot be reached (ENOTFOUND): it is asked again later. npm start -- --offline asks nobody.',
    'scan {"event":"scan_failed","reason":"It answered 500"}',
    'facts origin.example.com cannot be reached (ENOTFOUND): it is asked again later.',
  ]);
});
