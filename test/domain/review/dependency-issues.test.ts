import { expect, it } from 'vitest';
import {
  type CheckedDependencies,
  listDependencyIssues,
} from '../../../shared/domain/review/dependency-issues.ts';

const depend = (name: string, range = '^1.0.0') => ({ name, range, accepts: () => false });
const dependOn = (count: number) => Array.from({ length: count }, (_, at) => depend(`d${at}`));

const describeMessage = (some: Partial<CheckedDependencies>): string | undefined => {
  const unmet = some.unmet ?? [];
  const checked = unmet.length;
  const [issue] = listDependencyIssues({
    ...{ ecosystem: 'npm', unmet, checked, total: checked },
    ...some,
  });
  return issue?.message;
};

const five = 'npm:d0 ^1.0.0; npm:d1 ^1.0.0; npm:d2 ^1.0.0; npm:d3 ^1.0.0; npm:d4 ^1.0.0';

it.each<readonly [string, Partial<CheckedDependencies>, string | undefined]>([
  ['no unmet dependency', { checked: 40, total: 62 }, undefined],
  [
    'one',
    { unmet: [depend('lodash', '^5.0.0')], checked: 3, total: 3 },
    '1 dependency has no approved version in its range: npm:lodash ^5.0.0.',
  ],
  [
    'two',
    { unmet: [depend('lodash', '^5.0.0'), depend('foo', '>=2')] },
    '2 dependencies have no approved version in their range: npm:lodash ^5.0.0; npm:foo >=2.',
  ],
  [
    'a name without a range',
    { ecosystem: 'pypi', unmet: [depend('idna', '')] },
    '1 dependency has no approved version in its range: pypi:idna.',
  ],
  [
    'a long range',
    { unmet: [depend('long', '1'.repeat(100))] },
    `1 dependency has no approved version in its range: npm:long ${'1'.repeat(59)}….`,
  ],
  [
    'as many as are named',
    { unmet: dependOn(5) },
    `5 dependencies have no approved version in their range: ${five}.`,
  ],
  [
    'more than are named',
    { unmet: dependOn(17) },
    `17 dependencies have no approved version in their range: ${five}; and 12 more.`,
  ],
  [
    'more than are checked',
    { unmet: dependOn(1), checked: 40, total: 62 },
    '1 dependency has no approved version in its range: npm:d0 ^1.0.0. 40 of 62 dependencies were checked.',
  ],
])('describes %s', (_, some, message) => {
  expect(describeMessage(some)).toBe(message);
});
