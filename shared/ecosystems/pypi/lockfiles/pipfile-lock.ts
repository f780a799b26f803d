import {
  type DeclaredSource,
  UnreadableDependencyFileError,
} from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { parseJsonTree } from '../../lockfiles/syntax/json.ts';
import {
  findAt,
  itemsAt,
  membersOf,
  type SyntaxNode,
  textAt,
  textOf,
} from '../../lockfiles/syntax/syntax-node.ts';

const isAddress = (text: string): boolean => /^https?:/i.test(text);

const readEntry = ([name, entry]: readonly [string, SyntaxNode]): Found => {
  const { line } = entry;
  const [repository, path, file, version] = ['git', 'path', 'file', 'version'].map((field) =>
    textAt(entry, field),
  );
  if (repository) {
    return {
      text: name,
      reason: 'git',
      detail: `${repository}#${textAt(entry, 'ref') ?? ''}`,
      line,
    };
  }
  const place = file ?? path;
  if (place) return { text: name, reason: isAddress(place) ? 'url' : 'file', detail: place, line };
  if (version === undefined) return { text: name, reason: 'no_version', line };
  const [, pinned] = /^={2,3}\s*([^*]+)$/.exec(version) ?? [];
  if (pinned === undefined) return { text: `${name} ${version}`, reason: 'range', line };
  const hashes = itemsAt(entry, 'hashes').flatMap((hash) => textOf(hash) ?? []);
  return { ecosystem: 'pypi', name, version: pinned, line, hashes };
};

const readSource = (source: SyntaxNode): DeclaredSource => ({
  ...{ ecosystem: 'pypi', kind: 'index' },
  address: textAt(source, 'url') ?? '',
  line: source.line,
});

/** Returns the contents of Pipenv's lockfile: the lists `default`, `develop` and others, which have no graph. */
const read = (text: string): Contents => {
  const lock = parseJsonTree(text);
  if (!findAt(lock, '_meta')) {
    throw new UnreadableDependencyFileError(
      'It is no lockfile of Pipenv: it has no _meta. Write it with pipenv lock',
    );
  }
  const lists = [...membersOf(lock)].filter(([list]) => list !== '_meta');
  const contents = gather(
    lists.flatMap(([, entries]) => [...membersOf(entries)].map(readEntry)),
    [],
    itemsAt(lock, '_meta', 'sources').map(readSource),
  );
  const mayBeMore = contents.dependencies.length > 0;
  return { ...contents, builds: { packages: [], mayBeMore, requires: [] } };
};

export const pipfileLock: FormatReader = {
  format: 'Pipfile.lock',
  named: /(?:^|\/)Pipfile\.lock$/,
  read,
};
