import { expect, it } from 'vitest';
import { compareMavenVersions } from '../../../shared/ecosystems/maven/compare-versions.ts';

/** As `org.apache.maven.artifact.versioning.ComparableVersion` of Maven 3.8.7 orders them, each line from the first to the last. */
it.each([
  [
    '1.0-alpha-1',
    '1.0-beta2',
    '1.0.0.CR1',
    '1.0-SNAPSHOT',
    '1.0',
    '1.0-sp',
    '1.0-foo',
    '1-1',
    '1.1',
  ],
  ['2.0.0.M1', '2.0.0.RC1', '2.0.0.RELEASE', '2.0.1'],
  ['32.1.2-jre', '32.1.3-android', '32.1.3-jre', '33.0.0-android'],
  ['42.2.5', '42.2.5.jre7', '42.2.6'],
  ['1.9', '1.10', '1.10.0.1', '20030203.000129'],
])('the versions %s, %s and so on come one after the other', (...versions) => {
  expect(versions.toReversed().sort(compareMavenVersions)).toEqual(versions);
});

it.each([
  ['1', '1.0.0'],
  ['1.0', '1.0.Final'],
  ['1.0-ga', '1-release'],
  ['1.0-a1', '1-alpha-1'],
  ['1.0-rc', '1-CR'],
  ['1.0-0.0', '1'],
])('%s is as good as %s', (one, other) => {
  expect(compareMavenVersions(one, other)).toBe(0);
});
