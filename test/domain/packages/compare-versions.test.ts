import { describe, expect, it } from 'vitest';
import { compareVersions } from '../../../shared/domain/packages/compare-versions.ts';
import {
  findNearestBelow,
  findNearestVersion,
} from '../../../shared/domain/packages/nearest-version.ts';

describe('versions', () => {
  it.each([
    [['1.0.0-alpha.1', '1.0.0-alpha.2', '1.0.0-beta', '1.0.0-rc.1', '1.0.0', '1.0.1', '1.10.0']],
    [['1.0.dev1', '1.0a1', '1.0b2', '1.0rc1', '1.0', '1.0.post1', '1.1', '2']],
    [['5.3.0-M1', '5.3.0-RC1', '5.3.0-SNAPSHOT', '5.3.0.RELEASE', '5.3.1']],
    [['31.1-android', '31.1', '33.0-jre']],
    [['1.27-alpine', '1.27', '1.28']],
    [['1-rc', '1.0', '1-post', '1.0.1', '1.1.0-beta', '1.1']],
    [['20240101', '20240101000000000000000001', '20240101000000000000000002']],
  ])('come in the order of %j', (ordered) => {
    const pairs = ordered.flatMap((one, at) =>
      ordered.map((other, place) => [
        Math.sign(compareVersions(one, other)),
        Math.sign(at - place),
      ]),
    );

    expect(pairs.map(([order]) => order)).toEqual(pairs.map(([, order]) => order));
  });

  it.each([
    ['1.0', '1.0.0'],
    ['v1.2', '1.2'],
    ['1.0', '1.0.RELEASE'],
    ['01.2', '1.2'],
    ['1.0.0-rc.1', '1-rc1'],
  ])('%s and %s are the same', (one, other) => {
    expect(compareVersions(one, other)).toBe(0);
    expect(compareVersions(other, one)).toBe(0);
  });
});

describe('the nearest version', () => {
  it.each([
    ['4.17.15', ['4.17.21', '4.17.20', '5.0.0'], '4.17.20'],
    ['4.17.15', ['3.0.0', '5.0.0', '6.0.0'], '5.0.0'],
    ['4.17.15', ['3.0.0', '3.9.0', '4.17.14'], '4.17.14'],
    ['4.17.15', ['4.17.15', '4.18.0'], '4.17.15'],
    ['4.17.15', [], undefined],
    ['2.0.0', ['1.9.0', '2.0.1-rc.1'], '1.9.0'],
    ['2.0.0', ['2.0.1-rc.1'], '2.0.1-rc.1'],
    ['2.0.0-rc.1', ['1.9.0', '2.0.0-rc.2'], '2.0.0-rc.2'],
  ])('to %s among %j is %s', (version, others, nearest) => {
    expect(findNearestVersion('npm', version, others)).toBe(nearest);
  });

  it('of an image takes a tag for a tag', () => {
    expect(findNearestVersion('docker', '1.26', ['1.27', '2.0'])).toBe('1.27');
  });
});

describe('the nearest version below', () => {
  it.each([
    ['npm', '4.17.21', ['3.10.1', '4.17.9', '4.17.20', '4.18.0', '5.0.0'], '4.17.20'],
    ['npm', '1.0.0', ['0.9.0', '0.10.0'], '0.10.0'],
    ['npm', '2.1.0', ['1.9.0', '2.1.0-rc.1', '2.1.0'], '1.9.0'],
    ['npm', '2.1.0', ['2.1.0-rc.1'], '2.1.0-rc.1'],
    ['npm', '2.1.0-rc.2', ['2.0.0', '2.1.0-rc.1'], '2.1.0-rc.1'],
    ['npm', '1.0.0', ['1.0.0', '1.0.1', '1.0.0+build'], undefined],
    ['pypi', '1.0', ['1.0.post1', '1.0rc1', '0.9'], '0.9'],
    ['maven', '5.3.1', ['5.3.0.RELEASE', '5.2.9.RELEASE', '4.3.30.RELEASE'], '5.3.0.RELEASE'],
    ['docker', '1.27-alpine', ['1.26-alpine', '1.28-alpine', '1.9'], '1.26-alpine'],
    ['docker', '1.27', ['sha256:00', '1.26'], '1.26'],
    ['docker', 'sha256:99', ['sha256:00', '1.26'], undefined],
    ['npm', '1.0.0', [], undefined],
  ] as const)('of %s %s among %j is %s', (ecosystem, version, others, nearest) => {
    expect(findNearestBelow(ecosystem, version, others)).toBe(nearest);
  });
});
