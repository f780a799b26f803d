import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readManifest } from '../../cli/commands/submit/manifest/manifest.ts';
import { Submission } from '../../shared/api/schemas/submission.ts';
import { readLicense } from '../../shared/domain/licenses/normalize/normalize-expression.ts';

let folder: string;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'registry-manifest-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A new folder with these files; returns the path of the first. */
const written = (files: Readonly<Record<string, string>>): string => {
  count += 1;
  const home = join(folder, String(count));
  mkdirSync(home);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  return join(home, Object.keys(files)[0] ?? '');
};

const packageJson = (fields: object): string =>
  written({ 'package.json': JSON.stringify({ name: 'x', version: '1.0.0', ...fields }) });

const pom = (inside: string): string =>
  written({
    'pom.xml': `<?xml version="1.0"?><project xmlns="http://maven.apache.org/POM/4.0.0">
      <artifactId>widget</artifactId>${inside}</project>`,
  });

const own = '<groupId>org.example</groupId><version>1.10</version>';

describe('package.json', () => {
  it('has all fields of a submission', () => {
    const path = packageJson({
      name: '@acme/widget',
      license: 'MIT',
      description: 'Widgets',
      homepage: 'https://widget.example/',
      repository: { type: 'git', url: 'git+https://github.com/acme/widget.git' },
      dependencies: { left: '1' },
    });

    const submission = readManifest(path);

    expect(submission).toEqual({
      ecosystem: 'npm',
      name: '@acme/widget',
      version: '1.0.0',
      license: 'MIT',
      description: 'Widgets',
      homepage: 'https://widget.example/',
      repository: 'git+https://github.com/acme/widget.git',
    });
    expect(Submission.safeParse(submission).success).toBe(true);
  });

  it.each<[string, unknown, string | undefined]>([
    ['an expression', { license: '(MIT OR Apache-2.0)' }, '(MIT OR Apache-2.0)'],
    ['an object', { license: { type: 'ISC', url: 'x' } }, 'ISC'],
    ['a list', { licenses: [{ type: 'MIT' }, { type: 'ISC' }] }, '(MIT OR ISC)'],
    ['a list of names', { license: ['MIT', 'ISC'] }, '(MIT OR ISC)'],
    ['a list of none beside one', { license: 'MIT', licenses: [] }, 'MIT'],
    ['nothing', {}, undefined],
  ])('returns its license as %s', (_, fields, license) => {
    expect(readManifest(packageJson(fields as object))).toEqual({
      ecosystem: 'npm',
      name: 'x',
      version: '1.0.0',
      ...(license && { license }),
    });
  });

  const agpl = { type: 'AGPL-3.0-only', url: 'https://www.gnu.org/licenses/agpl-3.0.html' };

  it.each<[unknown, unknown, string]>([
    ['MIT', [agpl], 'MIT AND AGPL-3.0-only'],
    ['AGPL-3.0-only', [{ type: 'MIT' }], 'AGPL-3.0-only AND MIT'],
    ['(MIT OR AGPL-3.0-only)', [agpl], 'AGPL-3.0-only'],
    ['(MIT OR ISC)', [{ type: 'MIT' }, { type: 'ISC' }], '(MIT OR ISC)'],
    ['ISC', [{ type: 'MIT' }, { type: 'Apache-2.0' }], 'ISC AND (MIT OR Apache-2.0)'],
    [{ ...agpl, type: 'MIT' }, undefined, `MIT AND ${agpl.url}`],
    [agpl, { type: 'MIT' }, 'AGPL-3.0-only AND MIT'],
  ])('hides neither license %j nor licenses %j', (license, licenses, expected) => {
    expect(readManifest(packageJson({ license, licenses })).license).toBe(expected);
  });

  it.each([
    ['acme/widget', 'https://github.com/acme/widget.git'],
    ['gitlab:acme/widget', 'https://gitlab.com/acme/widget.git'],
    ['git@github.com:acme/widget.git', 'https://github.com/acme/widget.git'],
    ['git+ssh://git@github.com/acme/widget.git', 'https://github.com/acme/widget.git'],
    ['https://github.com/acme/widget', 'https://github.com/acme/widget'],
    ['https://user:pw@git.example/acme/widget', 'https://git.example/acme/widget'],
    ['ssh://git@git.example/acme/widget', 'ssh://git.example/acme/widget'],
    ['https://git.example', 'https://git.example'],
    ['the usual place', undefined],
    ['file:///srv/widget', undefined],
  ])('converts its repository %s for the registry', (repository, expected) => {
    const submission = readManifest(packageJson({ repository }));

    expect(submission.repository).toBe(expected);
    expect(Submission.safeParse(submission).success).toBe(true);
  });
});

describe('pyproject.toml', () => {
  it('has all fields of a submission', () => {
    const path = written({
      'pyproject.toml': `
        [project]
        name = "widget"
        version = "1.10"
        description = "Widgets"
        license = "MIT"
        [project.urls]
        "Home-Page" = "https://widget.example/"
        "Source Code" = "https://github.com/acme/widget"
      `,
    });

    expect(readManifest(path)).toEqual({
      ecosystem: 'pypi',
      name: 'widget',
      version: '1.10',
      license: 'MIT',
      description: 'Widgets',
      homepage: 'https://widget.example/',
      repository: 'https://github.com/acme/widget',
    });
  });

  it('omits dynamic fields, and a license text', () => {
    const path = written({
      'pyproject.toml': `
        [project]
        name = "widget"
        dynamic = ["version"]
        license = { file = "LICENSE" }
      `,
    });

    expect(readManifest(path)).toEqual({ ecosystem: 'pypi', name: 'widget' });
  });

  it.each<[string, string, string | undefined]>([
    ['its name', '"MIT"', 'MIT'],
    ['many lines', '"""\nPermission is\nhereby granted"""', undefined],
    ['much', `"${'x'.repeat(256)}"`, undefined],
  ])('returns the license of a text: %s', (_, text, license) => {
    const table = `[project]\nname = "widget"\nversion = "1.0"\nlicense = { text = ${text} }`;

    expect(readManifest(written({ 'pyproject.toml': table })).license).toBe(license);
  });

  it('uses the PyPI classifiers if no other field has the license', () => {
    const classifiers = `[
      "Programming Language :: Python :: 3",
      "License :: OSI Approved :: MIT License",
      "License :: OSI Approved :: Apache Software License",
    ]`;
    const table = `[project]\nname = "widget"\nversion = "1.0"\nclassifiers = ${classifiers}`;

    expect(readManifest(written({ 'pyproject.toml': table })).license).toBe(
      'License :: OSI Approved :: MIT License AND License :: OSI Approved :: Apache Software License',
    );
  });

  const osi = 'License :: OSI Approved ::';
  const mit = `${osi} MIT License`;
  const bsd = `${osi} BSD License`;
  const agpl = `${osi} GNU Affero General Public License v3`;
  const agplLater = `${agpl} or later (AGPLv3+)`;
  const gplLater = `${osi} GNU General Public License v3 or later (GPLv3+)`;
  const apache = `${osi} Apache Software License`;
  const closed = 'License :: Other/Proprietary License';

  it.each<[string, readonly string[], string, string]>([
    // Both agree, or one specifies the other.
    ['MIT', [mit], 'MIT', 'MIT'],
    ['MIT', ['License :: OSI Approved', mit], 'MIT', 'MIT'],
    ['BSD-3-Clause', [bsd], 'BSD-3-Clause', 'BSD-3-Clause'],
    ['GPL', [gplLater], gplLater, 'GPL-3.0-or-later'],
    ['GPL-3.0-or-later', [gplLater], 'GPL-3.0-or-later', 'GPL-3.0-or-later'],
    ['MIT OR Apache-2.0', [mit, apache], 'MIT OR Apache-2.0', 'MIT OR Apache-2.0'],
    ['MIT AND BSD-3-Clause', [bsd], 'MIT AND BSD-3-Clause', 'MIT AND BSD-3-Clause'],
    // They differ.
    ['MIT', [agpl], `MIT AND ${agpl}`, 'MIT AND AGPL-3.0-only'],
    ['MIT', [agplLater], `MIT AND ${agplLater}`, 'MIT AND AGPL-3.0-or-later'],
    ['MIT', [mit, agpl], `MIT AND ${agpl}`, 'MIT AND AGPL-3.0-only'],
    ['MIT', [closed], `MIT AND ${closed}`, 'MIT AND LicenseRef-Proprietary'],
    ['AGPL-3.0-only', [mit], `AGPL-3.0-only AND ${mit}`, 'AGPL-3.0-only AND MIT'],
    ['MIT OR AGPL-3.0-only', [agpl], agpl, 'AGPL-3.0-only'],
    [
      'MIT OR Apache-2.0',
      [agpl],
      `(MIT OR Apache-2.0) AND ${agpl}`,
      'MIT AND Apache-2.0 AND AGPL-3.0-only',
    ],
  ])('hides neither license %s nor classifiers %j', (license, classifiers, expected, reading) => {
    const table = (text: string): string => `[project]
      name = "widget"
      license = ${text}
      classifiers = ${JSON.stringify(classifiers)}`;

    for (const text of [`"${license}"`, `{ text = "${license}" }`]) {
      const read = readManifest(written({ 'pyproject.toml': table(text) })).license;
      expect(read).toBe(expected);
      expect(readLicense(read ?? '')).toBe(reading);
    }
  });

  it.each([
    ['MIT', 'MIT', 'MIT'],
    ['MIT', 'AGPL-3.0-only', 'MIT AND AGPL-3.0-only'],
    ['MIT OR', 'MIT', 'MIT OR'],
  ])("hides neither the project's license %s nor Poetry's, %s", (own, poetry, expected) => {
    const text = `[project]\nlicense = "${own}"\n[tool.poetry]\nlicense = "${poetry}"`;

    expect(readManifest(written({ 'pyproject.toml': text })).license).toBe(expected);
  });

  it('adds only missing fields from the Poetry table', () => {
    const path = written({
      'pyproject.toml': `
        [project]
        name = "widget"
        dynamic = ["version"]
        [tool.poetry]
        name = "other"
        version = "1.0"
      `,
    });

    expect(readManifest(path)).toEqual({ ecosystem: 'pypi', name: 'widget', version: '1.0' });
  });

  it('reads the Poetry table if it is the only one', () => {
    const path = written({
      'pyproject.toml': `
        [tool.poetry]
        name = "widget"
        version = "1.0"
        homepage = "https://widget.example/"
        repository = "https://git.example/widget"
      `,
    });

    expect(readManifest(path)).toMatchObject({
      version: '1.0',
      homepage: 'https://widget.example/',
      repository: 'https://git.example/widget',
    });
  });
});

describe('pom.xml', () => {
  it('has all fields of a submission, with a version that is no number', () => {
    const path = pom(`${own}
      <description>Widgets &amp; gadgets</description>
      <url>https://widget.example/</url>
      <licenses><license><name>Apache-2.0</name></license></licenses>
      <scm><url>https://github.com/acme/widget</url></scm>`);

    expect(readManifest(path)).toEqual({
      ecosystem: 'maven',
      name: 'org.example:widget',
      version: '1.10',
      license: 'Apache-2.0',
      description: 'Widgets & gadgets',
      homepage: 'https://widget.example/',
      repository: 'https://github.com/acme/widget',
    });
  });

  it('inherits group and version from its parent', () => {
    const path = pom(`<parent>${own}</parent>`);

    expect(readManifest(path)).toMatchObject({ name: 'org.example:widget', version: '1.10' });
  });

  it('replaces its properties', () => {
    const path = pom(`<groupId>\${project.parent.groupId}</groupId>
      <version>\${base}\${suffix}</version><parent>${own}</parent>
      <properties><base>\${revision}</base><revision>2.0</revision><suffix>-rc1</suffix></properties>`);

    expect(readManifest(path)).toMatchObject({ name: 'org.example:widget', version: '2.0-rc1' });
  });

  it.each([
    ['a property from elsewhere', `<version>\${elsewhere}</version>`],
    [
      'a property that means itself',
      `<version>\${a}</version><properties><a>\${a}</a></properties>`,
    ],
  ])('omits values that need %s', (_, version) => {
    const path = pom(`<groupId>org.example</groupId>${version}`);

    expect(readManifest(path)).toEqual({ ecosystem: 'maven', name: 'org.example:widget' });
  });

  it('omits values with exponentially growing properties', () => {
    const names = [...'abcdefghijkl'];
    const properties = names.map((name, at) => {
      const next = at + 1 < names.length ? `\${${names[at + 1]}}` : 'x';
      return `<${name}>${next.repeat(20)}</${name}>`;
    });
    const path = pom(`<groupId>org.example</groupId><version>\${a}</version>
      <description>\${long}\${long}</description>
      <properties>${properties.join('')}<long>${'x'.repeat(40_000)}</long></properties>`);

    expect(readManifest(path)).toEqual({ ecosystem: 'maven', name: 'org.example:widget' });
  });

  it('uses the URL of a license without a name', () => {
    const licenses = '<license><url>https://www.gnu.org/licenses/agpl-3.0.html</url></license>';

    const { license } = readManifest(pom(`${own}<licenses>${licenses}</licenses>`));

    expect(license).toBe('https://www.gnu.org/licenses/agpl-3.0.html');
  });

  const license = (name: string, url: string): string =>
    `<license><name>${name}</name><url>${url}</url><distribution>repo</distribution></license>`;
  const epl = license(
    'Eclipse Public License - v 1.0',
    'http://www.eclipse.org/legal/epl-v10.html',
  );
  const lgplAddress = 'http://www.gnu.org/licenses/old-licenses/lgpl-2.1.html';
  const lgpl = license('GNU Lesser General Public License', lgplAddress);
  const agplAddress = 'https://www.gnu.org/licenses/agpl-3.0.html';
  const disguised = license('MIT', agplAddress);
  const apache = license(
    'Apache License, Version 2.0',
    'http://www.apache.org/licenses/LICENSE-2.0.txt',
  );
  const shortMit = '<license><name>MIT</name></license>';

  it.each([
    ['one', apache, 'Apache License, Version 2.0', 'Apache-2.0'],
    [
      'the choice of two',
      `${shortMit}<license><name>ISC</name></license>`,
      'MIT OR ISC',
      'MIT OR ISC',
    ],
    [
      "logback's choice, whose addresses say which versions are meant",
      `${epl}\n<!-- or -->\n${lgpl}`,
      `Eclipse Public License - v 1.0 OR GNU Lesser General Public License (${lgplAddress})`,
      'EPL-1.0 OR LGPL-2.1-only',
    ],
    [
      'a name whose address says another',
      disguised,
      `MIT AND ${agplAddress}`,
      'MIT AND AGPL-3.0-only',
    ],
    [
      'a name that offers a choice, and an address that does not',
      license('MIT or Acme EULA', agplAddress),
      `(MIT OR Acme EULA) AND ${agplAddress}`,
      '(MIT OR Acme EULA) AND AGPL-3.0-only',
    ],
    [
      'a choice in which one address says another',
      `${apache}${disguised}`,
      `Apache License, Version 2.0 OR MIT AND ${agplAddress}`,
      'Apache-2.0 AND MIT AND AGPL-3.0-only',
    ],
    [
      'a closed one beside it',
      `${shortMit}<license><name>Proprietary</name></license>`,
      'MIT OR Proprietary',
      'MIT OR LicenseRef-Proprietary',
    ],
  ])('returns its licenses: %s', (_, licenses, expected, reading) => {
    const read = readManifest(pom(`${own}<licenses>${licenses}</licenses>`)).license;

    expect(read).toBe(expected);
    expect(readLicense(read ?? '')).toBe(reading);
  });

  it('omits its licenses if one is inherited', () => {
    const licenses = `${shortMit}<license><name>\${elsewhere}</name></license>`;

    expect(readManifest(pom(`${own}<licenses>${licenses}</licenses>`)).license).toBeUndefined();
  });
});

describe('a manifest', () => {
  it('is found in a folder', () => {
    const path = packageJson({});

    expect(readManifest(join(path, '..'))).toEqual(readManifest(path));
  });

  it('accepts a byte order mark', () => {
    const path = written({ 'package.json': '\ufeff{"name":"x","version":"1.0.0"}' });

    expect(readManifest(path)).toMatchObject({ name: 'x', version: '1.0.0' });
  });

  it('is ambiguous in a folder with several', () => {
    const path = written({ 'pom.xml': '<project/>', 'package.json': '{}' });

    expect(() => readManifest(join(path, '..'))).toThrow(/package\.json and pom\.xml. Name one/);
  });

  it.each<[string, string, RegExp]>([
    ['Cargo.toml', '', /no known manifest: give package\.json, pyproject\.toml, pom\.xml/],
    ['package.json', '{', /package\.json cannot be read/],
    ['pyproject.toml', 'name = ', /pyproject\.toml cannot be read/],
    ['pyproject.toml', '[build-system]', /no \[project\] table/],
    ['pom.xml', '<project><name></project>', /pom\.xml cannot be read/],
    ['pom.xml', '<html></html>', /no project element/],
  ])('causes a clear error if it is invalid: %s %s', (name, text, expected) => {
    expect(() => readManifest(written({ [name]: text }))).toThrow(expected);
  });

  it('causes a clear error if it is missing', () => {
    expect(() => readManifest(join(folder, 'nowhere'))).toThrow('does not exist');
  });
});
