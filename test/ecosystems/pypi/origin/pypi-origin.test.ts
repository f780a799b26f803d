import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askServer, type OriginServer, startOriginServer } from '../../../support/origin-server.ts';

let server: OriginServer;

beforeEach(async () => {
  server = await startOriginServer();
});

afterEach(() => server.close());

const hash = (letter: string): string => letter.repeat(64);

const ask = (name: string, version: string) =>
  askServer(server).collectFacts({ ecosystem: 'pypi', name, version });

const filesOf = async (name: string, version: string) => {
  const { manifest } = await ask(name, version);
  if (manifest?.kind !== 'pypi') throw new Error('There is no manifest');
  return manifest.files;
};

const simpleJson = { 'Content-Type': 'application/vnd.pypi.simple.v1+json' };

/** attrs 24.2.0 as the Simple API has it in JSON, trimmed, and one file of another version. */
const attrsFiles = () => [
  {
    filename: 'attrs-24.2.0-py3-none-any.whl',
    url: `${server.url}/packages/6a/21/attrs-24.2.0-py3-none-any.whl`,
    hashes: { sha256: hash('a') },
    'requires-python': '>=3.7',
    size: 63001,
    'upload-time': '2024-08-06T14:37:36.958006Z',
    yanked: false,
    'core-metadata': { sha256: hash('b') },
    'data-dist-info-metadata': { sha256: hash('b') },
    provenance: `${server.url}/integrity/attrs/v24.2.0/provenance`,
  },
  {
    filename: 'attrs-24.2.0.tar.gz',
    url: `${server.url}/packages/fc/0f/attrs-24.2.0.tar.gz`,
    hashes: { sha256: hash('c') },
    'requires-python': '>=3.7',
    size: 792678,
    'upload-time': '2024-08-06T14:37:38.364000Z',
    yanked: false,
    provenance: null,
  },
  {
    filename: 'attrs-25.1.0.tar.gz',
    url: `${server.url}/packages/attrs-25.1.0.tar.gz`,
    hashes: { sha256: hash('d') },
    yanked: false,
  },
];

const attrsInfo = {
  name: 'attrs',
  version: '24.2.0',
  summary: 'Classes Without Boilerplate',
  license: null,
  license_expression: null,
  classifiers: ['License :: OSI Approved :: MIT License', 'Topic :: Software Development'],
  home_page: null,
  project_urls: {
    Documentation: 'https://www.attrs.org/',
    'Source Code': 'https://github.com/python-attrs/attrs',
    Homepage: 'https://www.attrs.org/start',
  },
};

const serveSimple = (name: string, files: readonly unknown[]): void =>
  server.serve(`/simple/${name}/`, { headers: simpleJson, body: { name, files } });

/** What is told of a version whose information this is. */
const factsOf = async (info: object) => {
  const body = { info: { name: 'a', version: '1.0', ...info }, urls: [] };
  server.serve('/pypi/a/1.0/json', { body });
  return (await ask('a', '1.0')).facts;
};

describe('a version of PyPI', () => {
  it('has the facts of the JSON API, and the files of the Simple API', async () => {
    server.serve('/pypi/attrs/24.2.0/json', { body: { info: attrsInfo, urls: [] } });
    serveSimple('attrs', attrsFiles());

    const [wheel, archive] = attrsFiles();
    const { 'data-dist-info-metadata': _, ...wheelFile } = wheel ?? {};
    const { provenance: none, ...archiveFile } = archive ?? {};
    expect(await ask('attrs', '24.2.0')).toEqual({
      outcome: 'answered',
      listing: expect.any(String),
      details: { described: true },
      releases: [
        { version: '24.2.0', published_at: '2024-08-06T14:37:36.958Z', isWithdrawn: false },
        { version: '25.1.0', published_at: null, isWithdrawn: false },
      ],
      facts: {
        found: 'yes',
        reason: null,
        name_found: true,
        published_at: '2024-08-06T14:37:36.958Z',
        licenses_declared: ['License :: OSI Approved :: MIT License'],
        license: 'MIT',
        license_declaration: 'readable',
        license_statement: 'License :: OSI Approved :: MIT License',
        description: 'Classes Without Boilerplate',
        homepage: 'https://www.attrs.org/start',
        repository: 'https://github.com/python-attrs/attrs',
        deprecated: null,
        yanked: null,
        install_scripts: [],
        provenance: true,
        newest_version: '25.1.0',
      },
      manifest: { kind: 'pypi', files: [wheelFile, archiveFile] },
    });
  });

  it('has the mandatory requirements of its metadata', async () => {
    serveSimple('a', [{ filename: 'a-1.0-py3-none-any.whl', url: 'a.whl', hashes: {} }]);
    const requires_dist = ['idna>=2.5', 'PySocks; extra == "socks"'];
    const info = { name: 'a', version: '1.0', requires_dist };
    server.serve('/pypi/a/1.0/json', { body: { info, urls: [] } });

    const { manifest } = await ask('a', '1.0');

    expect(manifest).toMatchObject({ kind: 'pypi', requirements: ['idna >=2.5'] });
  });

  it('is asked for by its canonical name, and told as it is written', async () => {
    serveSimple('zope-interface', [
      { filename: 'zope.interface-5.0.tar.gz', url: 'z.tar.gz', hashes: {} },
      { filename: 'zope_interface-5.0.0-cp39-cp39-win32.whl', url: 'z.whl', hashes: {} },
      { filename: 'zope-interface-extra-5.0.tar.gz', url: 'e.tar.gz', hashes: {} },
    ]);

    const files = await filesOf('Zope.Interface', '5.0');

    expect(files.map(({ url }) => url)).toEqual([
      `${server.url}/simple/zope-interface/z.tar.gz`,
      `${server.url}/simple/zope-interface/z.whl`,
    ]);
  });

  it.each<[string, object, string[], string | null]>([
    [
      'an expression',
      { license_expression: 'MIT OR GPL-2.0-only', license: 'x' },
      ['MIT OR GPL-2.0-only'],
      'MIT OR GPL-2.0-only',
    ],
    ['a name', { license: 'BSD-3-Clause' }, ['BSD-3-Clause'], 'BSD-3-Clause'],
    [
      'a name and classifiers',
      {
        license: 'MIT',
        classifiers: ['License :: OSI Approved', 'License :: OSI Approved :: MIT License'],
      },
      ['MIT', 'License :: OSI Approved :: MIT License'],
      'MIT',
    ],
    [
      'its whole text',
      { license: `Permission\n${'is hereby granted '.repeat(100)}` },
      [expect.stringMatching(/^Permission is/)],
      null,
    ],
    ['nothing', { license: '', classifiers: 'none' }, [], null],
  ])('declares a license as %s', async (_, info, declared, license) => {
    const facts = await factsOf(info);

    expect(facts.licenses_declared).toEqual(declared);
    expect(facts.license).toBe(license);
  });

  it.each<[string, object, string, string | null]>([
    ['an expression', { license_expression: 'MIT' }, 'readable', 'MIT'],
    ['no license', { license: '', classifiers: ['Topic :: Internet'] }, 'none', null],
    ['what setuptools wrote for none', { license: 'UNKNOWN' }, 'none', null],
    [
      'what setuptools wrote for none, and a classifier',
      { license: 'UNKNOWN', classifiers: ['License :: OSI Approved :: MIT License'] },
      'readable',
      'License :: OSI Approved :: MIT License',
    ],
    ['half an expression', { license_expression: 'MIT OR' }, 'unreadable', null],
    ['its whole text', { license: `Permission\n${'is granted '.repeat(100)}` }, 'unreadable', null],
    ['that it is open source', { classifiers: ['License :: OSI Approved'] }, 'unreadable', null],
  ])('declares %s', async (_, info, declaration, statement) => {
    expect(await factsOf(info)).toMatchObject({
      license_declaration: declaration,
      license_statement: statement,
    });
  });

  it('has what it says in the words of before: a page that is no project URL', async () => {
    const facts = await factsOf({ home_page: 'https://example.com/a', project_urls: null });

    expect(facts).toMatchObject({ homepage: 'https://example.com/a', repository: null });
  });

  it.each<[string, unknown[], string | null]>([
    ['with a reason', ['broken', 'broken'], 'broken'],
    ['without one', [true, true], ''],
    ['in part, which is not at all', ['broken', false], null],
    ['not at all', [false, undefined], null],
  ])('is taken back %s', async (_, yanked, expected) => {
    const names = ['a-1.0.tar.gz', 'a-1.0-py3-none-any.whl'];
    serveSimple(
      'a',
      names.map((filename, at) => ({ filename, url: filename, yanked: yanked[at] })),
    );

    expect((await ask('a', '1.0')).facts.yanked).toBe(expected);
  });

  it.each<[string[], string[] | null]>([
    [['a-1.0-py3-none-any.whl', 'a-1.0.tar.gz'], []],
    [['a-1.0-cp311-cp311-win32.whl', 'a-1.0.tar.gz'], null],
    [['a-1.0.tar.gz'], null],
  ])('runs at installation what %j may run', async (names, expected) => {
    serveSimple(
      'a',
      names.map((filename) => ({ filename, url: filename })),
    );

    expect((await ask('a', '1.0')).facts.install_scripts).toEqual(expected);
  });

  it.each<[string[], string | null]>([
    [['1.0', '1.10', '1.9'], '1.10'],
    [['1.0', '2.0rc1'], '1.0'],
    [['1.0', '2.0.dev3'], '1.0'],
    [['1.0', '2!0.1', '3.0'], '2!0.1'],
    [['1.0', '1.0.post1'], '1.0.post1'],
  ])('has of %j the newest', async (versions, expected) => {
    serveSimple(
      'a',
      versions.map((version) => ({ filename: `a-${version}.tar.gz`, url: 'x' })),
    );

    expect((await ask('a', '1.0')).facts.newest_version).toBe(expected);
  });

  it('has no newest version that was taken back', async () => {
    serveSimple('a', [
      { filename: 'a-1.0.tar.gz', url: 'x' },
      { filename: 'a-2.0.tar.gz', url: 'y', yanked: true },
    ]);

    expect((await ask('a', '1.0')).facts.newest_version).toBe('1.0');
  });

  it.each<[unknown, string | null]>([
    [{ status: 'active' }, null],
    [{ status: 'archived', reason: 'done' }, null],
    [{ status: 'deprecated', reason: 'use b' }, 'use b'],
    [{ status: 'deprecated' }, ''],
    ['deprecated', null],
  ])('is deprecated with its project: %j', async (status, expected) => {
    const files = [{ filename: 'a-1.0.tar.gz', url: 'x' }];
    server.serve('/simple/a/', { headers: simpleJson, body: { files, 'project-status': status } });

    expect((await ask('a', '1.0')).facts.deprecated).toBe(expected);
  });

  it.each([
    ['malware', ': malware'],
    [undefined, ''],
  ])(
    'does not have the versions of a project in quarantine, with the reason %s',
    async (reason, shown) => {
      const files = [{ filename: 'a-1.0.tar.gz', url: 'x' }];
      const status = { status: 'quarantined', reason };
      server.serve('/simple/a/', {
        headers: simpleJson,
        body: { files, 'project-status': status },
      });

      const { facts } = await ask('a', '1.0');

      expect(facts).toMatchObject({ found: 'no', name_found: true });
      expect(facts.reason).toBe(`${new URL(server.url).host} has put a into quarantine${shown}`);
    },
  );

  it('has the files of the JSON API where there is no other', async () => {
    const urls = [
      {
        filename: 'a-1.0.tar.gz',
        url: `${server.url}/a-1.0.tar.gz`,
        digests: { sha256: hash('a'), blake2b_256: hash('b'), 'not a hash': 7 },
        requires_python: '>=3.8',
        size: 5,
        upload_time_iso_8601: '2020-01-01T00:00:00.000000Z',
        yanked: true,
        yanked_reason: 'wrong',
      },
    ];
    server.serve('/pypi/a/1.0/json', { body: { info: { name: 'A', version: '1.0.0' }, urls } });

    const { facts, manifest } = await ask('a', '1.0');

    expect(facts).toMatchObject({ yanked: 'wrong', published_at: '2020-01-01T00:00:00.000Z' });
    expect(manifest).toEqual({
      kind: 'pypi',
      files: [
        {
          filename: 'a-1.0.tar.gz',
          url: `${server.url}/a-1.0.tar.gz`,
          hashes: { sha256: hash('a'), blake2b_256: hash('b') },
          'requires-python': '>=3.8',
          size: 5,
          'upload-time': '2020-01-01T00:00:00.000000Z',
          yanked: 'wrong',
        },
      ],
    });
  });
});

const metadata = [
  'Metadata-Version: 2.4',
  'Name: a',
  'Version: 1.0',
  'Summary: Does',
  ' much',
  'License-Expression: Apache-2.0',
  'Project-URL: Source, https://github.com/a/a',
  'Project-URL: homepage, https://example.com/',
  'Classifier: Topic :: Internet',
  'Requires-Dist: idna>=2.5',
  '',
  'License: none of the header',
].join('\n');

const page = (links: string): string =>
  `<!DOCTYPE html><html><head><title>Links for a</title></head><body><h1>Links for a</h1>${links}</body></html>`;

/** A mirror without a JSON API, and with pages in HTML alone. */
const serveMirror = (links: string, fileMetadata: string | Buffer = metadata): void => {
  server.serve('/simple/a/', { headers: { 'Content-Type': 'text/html' }, body: page(links) });
  server.serve('/files/a-1.0-py3-none-any.whl.metadata', { body: fileMetadata });
};

const link = '<a href="../../files/a-1.0-py3-none-any.whl#sha256=aa11">a-1.0-py3-none-any.whl</a>';

describe('the version before', () => {
  const upload = (version: string, day: string | undefined, ending = 'tar.gz') => ({
    filename: ending === 'whl' ? `a-${version}-py3-none-any.whl` : `a-${version}.${ending}`,
    url: `${server.url}/a-${version}.${ending}`,
    hashes: { sha256: hash('a') },
    ...(day !== undefined && { 'upload-time': `${day}T00:00:00Z` }),
  });

  const previousOf = async (...others: readonly object[]) => {
    server.serve('/pypi/a/1.0/json', {
      body: { info: { name: 'a', version: '1.0', summary: 'A' }, urls: [] },
    });
    serveSimple('a', [upload('1.0', '2024-03-01'), ...others]);
    const collected = await ask('a', '1.0');
    return collected.outcome === 'answered' ? collected.details?.previous : undefined;
  };

  it('is the last one whose first file is older, whatever was added to it later', async () => {
    expect(
      await previousOf(
        upload('0.8', '2024-01-01'),
        upload('0.9', '2024-02-01'),
        upload('0.9', '2024-05-01', 'whl'),
        upload('2.0', '2024-04-01'),
      ),
    ).toEqual({ version: '0.9', published_at: '2024-02-01T00:00:00.000Z' });
  });

  it('is none of the first version, and unknown if a version has no time', async () => {
    expect(await previousOf(upload('2.0', '2024-04-01'))).toBeNull();
    expect(await previousOf(upload('0.9', undefined))).toBeUndefined();
  });
});

describe('a mirror with nothing but the Simple API in HTML', () => {
  it('tells by the metadata beside a file, of which it does not say that it is there', async () => {
    serveMirror(link);

    const { facts, manifest } = await ask('a', '1.0');

    expect(facts).toMatchObject({
      found: 'yes',
      license: 'Apache-2.0',
      description: 'Does much',
      homepage: 'https://example.com/',
      repository: 'https://github.com/a/a',
      published_at: null,
      provenance: null,
    });
    expect(manifest).toEqual({
      kind: 'pypi',
      files: [
        {
          filename: 'a-1.0-py3-none-any.whl',
          url: `${server.url}/files/a-1.0-py3-none-any.whl`,
          hashes: { sha256: 'aa11' },
          'core-metadata': { sha256: createHash('sha256').update(metadata).digest('hex') },
        },
      ],
      requirements: ['idna >=2.5'],
    });
  });

  it('says in attributes what JSON says in members', async () => {
    const attributes =
      'data-requires-python="&gt;=3.8" data-yanked="" data-dist-info-metadata="true" data-provenance="https://example.com/p"';
    serveMirror(link.replace('<a ', `<a ${attributes} `), Buffer.from('no metadata'));

    expect((await ask('a', '1.0')).facts).toMatchObject({ yanked: '', provenance: true });
    expect(await filesOf('a', '1.0')).toMatchObject([
      { 'requires-python': '>=3.8', yanked: true, 'core-metadata': true },
    ]);
  });

  it('says in the head what JSON says of the project', async () => {
    const notes =
      '<meta name="pypi:project-status" content="deprecated"><meta name="pypi:project-status-reason" content="use b">';
    serveMirror(`${notes}${link}`);

    expect((await ask('a', '1.0')).facts.deprecated).toBe('use b');
  });

  it('may say where its addresses begin', async () => {
    serveMirror(`<base href="${server.url}/elsewhere/"><a href="a-1.0.tar.gz">a-1.0.tar.gz</a>`);

    expect((await filesOf('a', '1.0'))[0]?.url).toBe(`${server.url}/elsewhere/a-1.0.tar.gz`);
  });

  it('may be below a path, and send on', async () => {
    server.serve('/repository/pypi/simple/a/', {
      status: 301,
      headers: { Location: '/simple/a/' },
    });
    serveMirror(link);

    const { facts } = await askServer(server, { path: '/repository/pypi/' }).collectFacts({
      ecosystem: 'pypi',
      name: 'a',
      version: '1.0',
    });

    expect(facts).toMatchObject({ found: 'yes', license: 'Apache-2.0' });
  });

  it('is not believed where the metadata is not what it promised', async () => {
    serveMirror(link.replace('<a ', `<a data-core-metadata="sha256=${hash('e')}" `));

    expect((await ask('a', '1.0')).facts).toMatchObject({
      ...{ found: 'yes', license: null, license_declaration: 'unknown' },
    });
  });

  it('is asked again where the metadata is out of reach for now', async () => {
    serveMirror(link);
    server.serve('/files/a-1.0-py3-none-any.whl.metadata', { status: 503 });

    expect(await ask('a', '1.0')).toMatchObject({ outcome: 'failed', passing: true });
  });

  it.each(['file:///etc/passwd', 'javascript:1', 'http://['])(
    'lists no file at %s',
    async (url) => {
      serveMirror(`<a href="${url}">a-1.0.tar.gz</a>`);

      expect((await ask('a', '1.0')).facts.found).toBe('no');
    },
  );
});

describe('a version that PyPI does not have', () => {
  it('is one of a project that it has', async () => {
    serveSimple('attrs', attrsFiles());

    expect((await ask('attrs', '99.0')).facts).toMatchObject({
      found: 'no',
      name_found: true,
      reason: `${server.host} has attrs, but not 99.0`,
      newest_version: '25.1.0',
    });
  });

  it.each([
    ['in JSON', { headers: simpleJson, body: { files: [] } }],
    ['in HTML', { body: page('') }],
  ])('is one of a project without files, %s', async (_, reply) => {
    server.serve('/simple/a/', reply);

    expect((await ask('a', '1.0')).facts).toMatchObject({ found: 'no', name_found: true });
  });

  it('is one of no project', async () => {
    expect((await ask('a', '1.0')).facts).toMatchObject({
      found: 'no',
      name_found: false,
      reason: `${server.host} has no package a`,
    });
  });

  it('is not told by an answer on something else', async () => {
    server.serve('/pypi/a/1.0/json', { body: { info: { name: 'b', version: '1.0' }, urls: [] } });

    expect((await ask('a', '1.0')).facts.found).toBe('no');
  });
});

it('waits for the JSON API where it may pass', async () => {
  server.serve('/pypi/attrs/24.2.0/json', { status: 503 });
  serveSimple('attrs', attrsFiles());

  expect(await ask('attrs', '24.2.0')).toMatchObject({ outcome: 'failed', passing: true });
});

it('does without the JSON API where it is refused', async () => {
  server.serve('/pypi/attrs/24.2.0/json', { status: 403 });
  serveSimple('attrs', attrsFiles());

  expect(await ask('attrs', '24.2.0')).toMatchObject({
    outcome: 'answered',
    facts: { found: 'yes' },
  });
});
