import { describe, expect, it } from 'vitest';
import { formatPurl } from '../../../shared/domain/packages/format-purl.ts';
import { type PackageId, toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { readPurl } from '../../../shared/domain/packages/purl.ts';

const digest = `sha256:${'a1'.repeat(32)}`;

describe('the package URL of a version', () => {
  it.each<[PackageId, string]>([
    [{ ecosystem: 'npm', name: 'lodash', version: '4.17.21' }, 'pkg:npm/lodash@4.17.21'],
    [{ ecosystem: 'npm', name: '@types/node', version: '22.0.0' }, 'pkg:npm/%40types/node@22.0.0'],
    [{ ecosystem: 'npm', name: 'JSONStream', version: '1.3.5' }, 'pkg:npm/JSONStream@1.3.5'],
    [{ ecosystem: 'npm', name: 'a', version: '1.0.0+b.1' }, 'pkg:npm/a@1.0.0%2Bb.1'],
    [{ ecosystem: 'pypi', name: 'Flask_Login', version: '0.6.3' }, 'pkg:pypi/flask-login@0.6.3'],
    [{ ecosystem: 'pypi', name: 'a', version: '1!2.0+local' }, 'pkg:pypi/a@1!2.0%2Blocal'],
    [
      { ecosystem: 'maven', name: 'org.slf4j:slf4j-api', version: '2.0.16' },
      'pkg:maven/org.slf4j/slf4j-api@2.0.16',
    ],
    [{ ecosystem: 'maven', name: 'a:b', version: '1.0~rc;1' }, 'pkg:maven/a/b@1.0~rc%3B1'],
    [{ ecosystem: 'docker', name: 'library/nginx', version: '1.27' }, 'pkg:docker/nginx@1.27'],
    [
      { ecosystem: 'docker', name: 'ghcr.io/acme/team/shop', version: digest },
      `pkg:docker/acme/team/shop@${digest}?repository_url=ghcr.io`,
    ],
    [
      { ecosystem: 'docker', name: 'localhost:5000/shop', version: '2' },
      'pkg:docker/shop@2?repository_url=localhost:5000',
    ],
    [
      { ecosystem: 'docker', name: 'docker.io/ghcr.io/a', version: '2' },
      'pkg:docker/ghcr.io/a@2?repository_url=docker.io',
    ],
  ])('of %j is %s, and is read back', (id, purl) => {
    expect(formatPurl(id)).toBe(purl);
    expect(toVersionKey({ version: '', ...readPurl(purl) } as PackageId)).toBe(toVersionKey(id));
  });

  it('has no version for a package', () => {
    const purl = formatPurl({ ecosystem: 'docker', name: 'ghcr.io/acme/shop', version: null });

    expect(purl).toBe('pkg:docker/acme/shop?repository_url=ghcr.io');
    expect(readPurl(purl)).toMatchObject({ name: 'ghcr.io/acme/shop', version: undefined });
  });

  it('sorts qualifiers, encodes them, and omits those without a value', () => {
    const id = { ecosystem: 'docker', name: 'ghcr.io/shop', version: '2' } as const;

    const purl = formatPurl(id, { platform: 'linux/arm64', file_name: undefined });

    expect(purl).toBe('pkg:docker/shop@2?platform=linux%2Farm64&repository_url=ghcr.io');
  });
});
