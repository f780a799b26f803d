import { describe, expect, it } from 'vitest';
import { chooseFiles } from '../../../../cli/commands/diff/files/choose-files.ts';
import { evidence } from '../../../../shared/api/openapi/examples/review.ts';
import type { VersionEvidence } from '../../../../shared/api/schemas/evidence.ts';
import type { Ecosystem } from '../../../../shared/ecosystems/ecosystem.ts';

const makeEvidence = (
  ecosystem: Ecosystem,
  version: string,
  files: readonly string[],
): VersionEvidence => ({
  ...evidence,
  package: { ...evidence.package, ecosystem, name: 'org.acme:tool', version },
  files: {
    ...{ pinned: false, total: files.length },
    files: files.map((file) => ({ file, digest: null, url: null })),
  },
});

const choose = (ecosystem: Ecosystem, before: readonly string[], after: readonly string[]) => {
  const chosen = chooseFiles(
    makeEvidence(ecosystem, '1.0', before),
    makeEvidence(ecosystem, '2.0', after),
  );
  return [chosen.before.file, chosen.after.file, chosen.kind.format];
};

describe('of two versions', () => {
  it.each<[string, Ecosystem, string[], string[], string[]]>([
    [
      'the source distribution before wheels',
      'pypi',
      ['t-1.0-py3-none-any.whl', 't-1.0.tar.gz'],
      ['t-2.0-py3-none-any.whl', 't-2.0.tar.gz'],
      ['t-1.0.tar.gz', 't-2.0.tar.gz', 'tar.gz'],
    ],
    [
      'the wheel for every platform, if one has no source distribution',
      'pypi',
      ['t-1.0-cp313-cp313-win_amd64.whl', 't-1.0-py3-none-any.whl', 't-1.0.tar.gz'],
      ['t-2.0-cp313-cp313-win_amd64.whl', 't-2.0-py3-none-any.whl'],
      ['t-1.0-py3-none-any.whl', 't-2.0-py3-none-any.whl', 'zip'],
    ],
    [
      'a wheel with the same tags, with a build number or without',
      'pypi',
      ['t-1.0-cp312-cp312-win32.whl', 't-1.0-1-cp313-cp313-win32.whl'],
      ['t-2.0-cp313-cp313-win32.whl'],
      ['t-1.0-1-cp313-cp313-win32.whl', 't-2.0-cp313-cp313-win32.whl', 'zip'],
    ],
    [
      'the source archive in zip',
      'pypi',
      ['t-1.0.tar.bz2', 't-1.0.zip'],
      ['t-2.0.tar.bz2', 't-2.0.zip'],
      ['t-1.0.zip', 't-2.0.zip', 'zip'],
    ],
    [
      'the sources of a Maven artifact',
      'maven',
      ['tool-1.0.jar', 'tool-1.0-sources.jar', 'tool-1.0.pom'],
      ['tool-2.0.jar', 'tool-2.0-sources.jar', 'tool-2.0.pom'],
      ['tool-1.0-sources.jar', 'tool-2.0-sources.jar', 'zip'],
    ],
    [
      'the jar, if one has no sources',
      'maven',
      ['tool-1.0.jar', 'tool-1.0-sources.jar'],
      ['tool-2.0-javadoc.jar', 'tool-2.0.jar'],
      ['tool-1.0.jar', 'tool-2.0.jar', 'zip'],
    ],
    [
      'the tarball of npm',
      'npm',
      ['t-1.0.tgz'],
      ['t-2.0.tgz'],
      ['t-1.0.tgz', 't-2.0.tgz', 'tar.gz'],
    ],
  ])('%s are compared', (_what, ecosystem, before, after, expected) => {
    expect(choose(ecosystem, before, after)).toEqual(expected);
  });

  it.each<[string, Ecosystem, string[], string[]]>([
    ['a source distribution and a wheel', 'pypi', ['t-1.0.tar.gz'], ['t-2.0-py3-none-any.whl']],
    ['wheels of two platforms', 'pypi', ['t-1.0-a-b-c.whl'], ['t-2.0-a-b-d.whl']],
    ['POMs', 'maven', ['tool-1.0.pom'], ['tool-2.0.pom']],
  ])('%s are not compared', (_what, ecosystem, before, after) => {
    expect(() => choose(ecosystem, before, after)).toThrow('no archives of the same kind');
  });
});
