import type { UnpinnedReason } from '../../lockfiles/dependency-file.ts';
import { judgeSpec } from '../../lockfiles/spec-kind.ts';

/** What one line of a file of requirements asks for. */
export type Requirement =
  | { readonly kind: 'pinned'; readonly name: string; readonly version: string }
  | { readonly kind: 'left'; readonly name?: string; readonly reason: UnpinnedReason }
  /** Of pip's settings, which name no package. */
  | { readonly kind: 'setting' };

const setting =
  /^(?:-i|--index-url|--extra-index-url|--no-index|-f|--find-links|--no-binary|--only-binary|--prefer-binary|--require-hashes|--pre|--trusted-host|--use-feature)(?:[\s=]|$)|^-[if]\S/;
const include = /^(?:-r|--requirement|-c|--constraint)(?:[\s=]|$)|^-[rc]\S/;
const editable = /^(?:-e|--editable)(?:[\s=]+|$)/;
const archive = /\.(?:whl|zip|tar|tar\.(?:gz|bz2|xz|lz|lzma)|tgz|tbz|txz|tlz)$/i;
const requirement =
  /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?:(@)|\(?([<>=!~][^()]*)\)?)?/;

const judgeAddress = (address: string): UnpinnedReason => {
  if (/^(?:git|hg|svn|bzr)\+/i.test(address)) return 'git';
  return judgeSpec(address) ?? 'file';
};

/** Of `==1.0`, `===1.0` and `==1.0,>=0.9` the version; undefined for what allows several. */
export const findPinned = (specifiers: string): string | undefined => {
  const pins = specifiers.split(',').map((one) => /^\s*={2,3}\s*([^\s*]+)\s*$/.exec(one)?.[1]);
  return pins.find((version) => version !== undefined);
};

/** Without markers, and without what is said of its hashes and its build. */
export const dropOptions = (text: string): string => {
  const [requirement = ''] = text.split(/\s--?[a-z]/i, 1);
  return (requirement.split(';', 1)[0] ?? '').trimEnd();
};

/** The hashes of which pip takes any: `--hash=sha256:HEX`. */
export const readHashes = (text: string): string[] =>
  [...text.matchAll(/\s--hash[\s=]+["']?([\w-]+:[\da-f]+)/gi)].flatMap(([, hash]) => hash ?? []);

const source =
  /^(?:(-i|--index-url|--extra-index-url)|(?:-f|--find-links))(?:[\s=]+|(?<=^-[if]))["']?([^\s"']+)/;

/**
 * Returns the options of a line, each with its value. pip takes several in one line, so that a setting may hide an
 * include; quotes and strokes are dropped, as they may hide one, too.
 */
const splitOptions = (line: string): string[] =>
  line
    .replace(/["'\\]/g, '')
    .split(/(?<!\s)\s+(?=-)/)
    .filter((part) => part.startsWith('-'));

/** Where the settings of a line have pip look for packages. */
export const listSources = (
  text: string,
): { readonly kind: 'index' | 'links'; readonly address: string }[] =>
  splitOptions(text).flatMap((option) => {
    const [, index, address] = source.exec(option) ?? [];
    if (address === undefined) return [];
    return [{ kind: index === undefined ? ('links' as const) : ('index' as const), address }];
  });

/** Reads a line that begins with an option. One that is no setting leaves the line unread. */
const readOptions = (line: string): Requirement => {
  const other = splitOptions(line).find((option) => !setting.test(option));
  if (other === undefined) return { kind: 'setting' };
  if (include.test(other)) return { kind: 'left', reason: 'include' };
  return { kind: 'left', reason: editable.test(other) ? 'file' : 'unreadable' };
};

export const readRequirement = (line: string): Requirement => {
  if (line.startsWith('-') && !editable.test(line)) return readOptions(line);
  const given = line.replace(editable, '');
  if (given.startsWith('-')) return { kind: 'left', reason: 'unreadable' };
  const text = dropOptions(given);
  if (/\$\{\w+\}/.test(text)) return { kind: 'left', reason: 'variable' };
  const [whole = '', name, at, specifiers] = requirement.exec(text) ?? [];
  const rest = text.slice(whole.length).trim();
  if (name !== undefined && at) return { kind: 'left', name, reason: judgeAddress(rest) };
  if (given !== line || /^[\w+]+:\/\//.test(text) || /^[./~]/.test(text) || archive.test(text)) {
    return { kind: 'left', reason: judgeAddress(text) };
  }
  if (name === undefined) return { kind: 'left', reason: 'unreadable' };
  if (rest !== '')
    return { kind: 'left', name, reason: /[\\/]/.test(text) ? 'file' : 'unreadable' };
  if (specifiers === undefined) return { kind: 'left', name, reason: 'no_version' };
  const version = findPinned(specifiers);
  return version === undefined
    ? { kind: 'left', name, reason: 'range' }
    : { kind: 'pinned', name, version };
};
