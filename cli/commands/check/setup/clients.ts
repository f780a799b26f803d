import { parse } from 'smol-toml';
import { readAt } from '../../../../shared/util/json.ts';
import { addLines, setFirstLine, setLine } from './edit-lines.ts';

/** A file of a package manager, and its new text. */
export interface FileEdit {
  readonly file: string;
  /** Returns the new text; undefined if the file cannot be changed safely. */
  readonly edit: (text: string) => string | undefined;
  /** What to write by hand instead. */
  readonly byHand: string;
}

/** A package manager of a project, and how it uses the gate. */
export interface ClientSetup {
  readonly client: string;
  readonly edits: readonly FileEdit[];
  /** The command that installs through the gate. */
  readonly next: string;
}

/** The names and texts of the files in a folder. */
export interface FolderFiles {
  readonly names: readonly string[];
  readonly read: (name: string) => string;
}

type MakeSetup = (url: string, files: FolderFiles) => ClientSetup | undefined;

const isAny = (files: FolderFiles, names: readonly string[]): boolean =>
  names.some((name) => files.names.includes(name));

/** True for a registry without TLS, which runs on the developer's own machine. */
const isPlain = (url: string): boolean => url.startsWith('http:');

/**
 * Returns the edit of `.npmrc`. Without addresses in a lockfile, npm requests each list besides each file, but nobody else can
 * use the address of a developer's own machine.
 */
const editNpmrc = (url: string): FileEdit => {
  const lines = [
    `registry=${url}/npm/`,
    ...(isPlain(url) ? ['omit-lockfile-registry-resolved=true'] : []),
  ];
  return {
    file: '.npmrc',
    edit: (text) =>
      lines.reduce((done, line) => {
        const [key = ''] = line.split('=');
        return setLine(done, new RegExp(`^\\s*${key}\\s*=`), line);
      }, text),
    byHand: lines.join('\n'),
  };
};

const isModernYarn = (files: FolderFiles): boolean =>
  files.names.includes('.yarnrc.yml') ||
  (files.names.includes('yarn.lock') && files.read('yarn.lock').includes('__metadata:'));

const npm: MakeSetup = (url, files) => {
  const others = ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];
  const isNpm = isAny(files, ['package-lock.json', 'npm-shrinkwrap.json']);
  if (!isNpm && (!files.names.includes('package.json') || isAny(files, others))) return undefined;
  return { client: 'npm', edits: [editNpmrc(url)], next: 'npm ci' };
};

const pnpm: MakeSetup = (url, files) =>
  files.names.includes('pnpm-lock.yaml')
    ? { client: 'pnpm', edits: [editNpmrc(url)], next: 'pnpm install --frozen-lockfile' }
    : undefined;

const yarn: MakeSetup = (url, files) => {
  if (!files.names.includes('yarn.lock')) return undefined;
  if (!isModernYarn(files)) {
    return { client: 'Yarn 1', edits: [editNpmrc(url)], next: 'yarn install --frozen-lockfile' };
  }
  const server = `npmRegistryServer: "${url}/npm/"`;
  const hosts = `unsafeHttpWhitelist: ["${new URL(url).hostname}"]`;
  const edit = (text: string): string => {
    const done = setLine(text, /^npmRegistryServer\s*:/, server);
    return isPlain(url) ? setLine(done, /^unsafeHttpWhitelist\s*:\s*\[/, hosts) : done;
  };
  return {
    client: 'Yarn',
    edits: [
      {
        file: '.yarnrc.yml',
        // A list of hosts over several lines is somebody's own.
        edit: (text) =>
          isPlain(url) && /^unsafeHttpWhitelist\s*:\s*$/m.test(text) ? undefined : edit(text),
        byHand: [server, ...(isPlain(url) ? [hosts] : [])].join('\n'),
      },
    ],
    next: 'yarn install --immutable',
  };
};

const bun: MakeSetup = (url, files) => {
  if (!files.names.includes('bun.lock')) return undefined;
  const lines = ['[install]', `registry = "${url}/npm/"`];
  return {
    client: 'Bun',
    edits: [
      {
        file: 'bunfig.toml',
        edit: (text) =>
          text.includes(lines[1] ?? '')
            ? text
            : /^\s*\[install\]/m.test(text)
              ? undefined
              : addLines(text, lines),
        byHand: lines.join('\n'),
      },
    ],
    next: 'bun install --frozen-lockfile',
  };
};

/** Returns the indexes that a configuration of uv names; undefined if it cannot be parsed. */
const readIndexes = (text: string, path: readonly string[]): unknown[] | undefined => {
  try {
    const found = readAt(parse(text), ...path);
    return found === undefined ? [] : [found].flat();
  } catch {
    return undefined;
  }
};

/** Adds the default index, unless the file has it, or has another default. */
const addIndex =
  (table: string, url: string) =>
  (text: string): string | undefined => {
    const path = table.split('.');
    const indexes = readIndexes(text, path);
    if (indexes?.some((index) => readAt(index, 'url') === url)) return text;
    if (!indexes || indexes.some((index) => readAt(index, 'default') === true)) return undefined;
    const lines = [`[[${table}]]`, `url = "${url}"`, 'default = true'];
    const after = addLines(text, [...(text === '' ? [] : ['']), ...lines]);
    // An inline list of indexes allows no further table.
    return readIndexes(after, path) ? after : undefined;
  };

const uv: MakeSetup = (url, files) => {
  if (!files.names.includes('uv.lock')) return undefined;
  const address = `${url}/pypi/simple/`;
  const isOwnFile = files.names.includes('uv.toml') || !files.names.includes('pyproject.toml');
  const [file, table] = isOwnFile ? ['uv.toml', 'index'] : ['pyproject.toml', 'tool.uv.index'];
  return {
    client: 'uv',
    edits: [
      {
        file,
        edit: addIndex(table, address),
        byHand: `[[${table}]]\nurl = "${address}"\ndefault = true`,
      },
    ],
    next: 'uv lock && uv sync',
  };
};

const poetry: MakeSetup = (url, files) => {
  if (!files.names.includes('poetry.lock')) return undefined;
  const lines = ['name = "gate"', `url = "${url}/pypi/simple/"`, 'priority = "primary"'];
  return {
    client: 'Poetry',
    edits: [
      {
        file: 'pyproject.toml',
        edit: (text) => (text.includes(lines[1] ?? '') ? text : undefined),
        byHand: ['[[tool.poetry.source]]', ...lines].join('\n'),
      },
    ],
    next: 'poetry lock && poetry install',
  };
};

const requirements = /^[\w.-]*requirements[\w.-]*\.txt$/;

const pip: MakeSetup = (url, files) => {
  const lists = files.names.filter((name) => requirements.test(name));
  if (lists.length === 0 || isAny(files, ['uv.lock', 'poetry.lock'])) return undefined;
  const line = `--index-url ${url}/pypi/simple/`;
  return {
    client: 'pip',
    edits: lists.map((file) => ({
      file,
      edit: (text) => setFirstLine(text, /^\s*(?:-i|--index-url)[\s=]/, line),
      byHand: line,
    })),
    next: `pip install -r ${lists[0]}`,
  };
};

const settingsFile = '.mvn/settings.xml';

const maven: MakeSetup = (url, files) => {
  if (!files.names.includes('pom.xml')) return undefined;
  const mirror = `    <mirror>
      <id>gate</id>
      <mirrorOf>*</mirrorOf>
      <url>${url.replaceAll('&', '&amp;')}/maven/</url>
    </mirror>`;
  const settings = `<settings xmlns="http://maven.apache.org/SETTINGS/1.0.0">
  <mirrors>
${mirror}
  </mirrors>
</settings>
`;
  const options = ['-s', settingsFile];
  return {
    client: 'Maven',
    edits: [
      {
        file: settingsFile,
        edit: (text) => (text === '' || text === settings ? settings : undefined),
        byHand: mirror,
      },
      {
        file: '.mvn/maven.config',
        edit: (text) => {
          const lines = addLines(text, options);
          const isOther = /^(?:-s|--settings)/m.test(text) && lines !== text;
          return isOther ? undefined : addLines(lines, ['-C']);
        },
        byHand: [...options, '-C'].join('\n'),
      },
    ],
    next: 'mvn verify',
  };
};

/** Returns the setup of each package manager of a project, by its lockfiles and manifests. */
export const findClients = (url: string, files: FolderFiles): readonly ClientSetup[] =>
  [npm, pnpm, yarn, bun, uv, poetry, pip, maven].flatMap(
    (make) => make(url.replace(/\/$/, ''), files) ?? [],
  );
