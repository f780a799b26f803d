import { describe, expect, it } from 'vitest';
import { formatEvent } from '../../../infra/local/events/format-event.ts';
import type { RegistryEvent } from '../../../shared/api/schemas/event.ts';

const at = '2026-01-31T12:00:00.000Z';

const submitted: RegistryEvent = {
  ...{ sequence: 7, id: 'x', type: 'package.submitted', at },
  ...{ ecosystem: 'npm', name: 'left-pad', version: '1.3.0', license: null },
  ...{ vulnerability: null, acceptance: null },
  ...{ by: null, token_label: null, from: null, to: 'pending', reason: null, expires_at: null },
  projects: null,
  before: null,
};

describe('an event', () => {
  it.each<[string, Partial<RegistryEvent>, string]>([
    ['of which little is known', {}, 'package.submitted npm left-pad 1.3.0: pending'],
    [
      'of which all is known',
      {
        ...{ type: 'package.approved', by: 'ann@example.com', token_label: 'ci' },
        ...{ from: 'pending', to: 'approved' },
        ...{ reason: 'It\'s small,\nand "good"', expires_at: '2027-01-31T12:00:00.000Z' },
      },
      'package.approved npm left-pad 1.3.0: pending to approved by ann@example.com (token ci) ' +
        'until 2027-01-31T12:00:00.000Z because "It\'s small,\\nand \\"good\\""',
    ],
    [
      'about the registry',
      {
        ...{ type: 'registry.frozen', ecosystem: null, name: null, version: null },
        ...{ from: 'unfrozen', to: 'frozen', before: at, reason: 'An incident' },
      },
      'registry.frozen: unfrozen to frozen for versions after 2026-01-31T12:00:00.000Z because "An incident"',
    ],
    [
      'about a vulnerability',
      {
        ...{ type: 'vulnerability.accepted', vulnerability: 'CVE-2024-1', acceptance: '1' },
        ...{ name: null, version: null, to: 'accepted' },
      },
      'vulnerability.accepted CVE-2024-1 npm: accepted',
    ],
    [
      'with what a terminal would obey',
      { reason: 'a\u009b2Jb\u202ec\u0085d\u001be' },
      'package.submitted npm left-pad 1.3.0: pending because "a\\u{9b}2Jb\\u{202e}c\\u{85}d\\u001be"',
    ],
    [
      'of a license',
      {
        ...{ type: 'license.decided', ecosystem: null, name: null, version: null },
        ...{ license: 'EPL-2.0', from: 'unreviewed', to: 'approved' },
      },
      'license.decided EPL-2.0: unreviewed to approved',
    ],
  ])('%s is one line', (_, facts, line) => {
    expect(formatEvent({ ...submitted, ...facts })).toBe(`event 7 ${at} ${line}`);
  });
});
