import { expect, it } from 'vitest';
import { isWithinReach, reaches } from '../../../shared/domain/packages/reach.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';

const listReaches = (ecosystem: Ecosystem, from: string, to: string) =>
  reaches.filter((reach) => isWithinReach(ecosystem, from, to, reach));

const all = ['patch', 'minor', 'major'];

it.each<[Ecosystem, string, string, string[]]>([
  ['npm', '4.17.20', '4.17.21', all],
  ['npm', '4.17.20', '4.18.0', ['minor', 'major']],
  ['npm', '4.17.20', '5.0.0', ['major']],
  ['npm', '0.1.0', '0.1.9', all],
  ['npm', '0.1.0', '0.2.0', ['minor', 'major']],
  ['npm', '1.2.3-rc.1', '1.2.3', all],
  ['npm', '1.2.3+linux', '1.2.4+darwin', all],
  ['npm', '1.10.0', '1.1.0', ['minor', 'major']],
  ['npm', '20240101000000000.0.0', '20240101000000001.0.0', ['major']],
  ['pypi', '2.0', '2.0.1', all],
  ['pypi', '2', '2.0.0.1', all],
  ['pypi', 'v1.02', '1.2.post1', all],
  ['pypi', '1!2.0', '1!2.1', ['minor', 'major']],
  ['pypi', '2.0+CU_118', '2.0.1+cu.118', all],
  ['pypi', '2.0', '1!2.0', ['major']],
  ['pypi', '1!2.0', '2!2.0', ['major']],
  ['maven', '5.3.0.RELEASE', '5.3.1', all],
  ['maven', '9.4.40.v20210413', '9.4.58.v20250814', all],
  ['maven', '4.1.0.Final', '4.2.0.Final', ['minor', 'major']],
  ['maven', '1', '1.0.0.SP1', all],
  ['maven', '2.0.0-M1', '2.0.0', all],
])('of %s, an update from %s to %s is within %j', (ecosystem, from, to, within) => {
  expect(listReaches(ecosystem, from, to)).toEqual(within);
});

it.each<[string, Ecosystem, string, string]>([
  ['tags of images', 'docker', '1.27', '1.27'],
  ['builds for other platforms', 'maven', '32.1.3-android', '32.1.3-jre'],
  ['builds for other Java versions', 'maven', '12.4.2.jre8', '12.4.2.jre11'],
  ['local labels', 'pypi', '2.1.0+cpu', '2.1.0+cu118'],
  ['a local label and none', 'pypi', '2.1.0', '2.1.1+cpu'],
  ['a date and a number', 'maven', '2.11.0', '20030203.000550'],
  ['a version without numbers', 'maven', 'RELEASE', 'RELEASE'],
  ['no version of the ecosystem', 'pypi', '1.0', '1.0-jre'],
])('%s are within no reach', (_, ecosystem, from, to) => {
  expect(listReaches(ecosystem, from, to)).toEqual([]);
});
