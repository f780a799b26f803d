import { Argument, InvalidArgumentError, Option } from 'commander';
import {
  type DependencyFormat,
  dependencyFormats,
} from '../../../shared/ecosystems/lockfiles/dependency-file.ts';

/** What a check may let pass besides what is approved. */
const allowable = ['pending', 'unknown', 'unpinned'] as const;
/** What is approved always may be; whoever says so all the same is right. */
const sayable = ['approved', ...allowable] as const;
type Allowable = (typeof sayable)[number];

/** What is typed after `registry check`. */
export interface CheckFlags {
  readonly allow?: readonly Allowable[];
  readonly baseline?: string;
  /** What the one file is that is checked. */
  readonly format?: DependencyFormat;
  /** Hosts besides the origins and the registry that packages may come from. */
  readonly registryHost?: readonly string[];
  /** Whether each file must be able to have everything that is installed. */
  readonly requireClosure?: boolean;
  readonly submit?: boolean;
  readonly because?: string;
  /** Files to write reports to besides, `-` for standard output. */
  readonly sarif?: string;
  readonly junit?: string;
  readonly markdown?: string;
  /** Where paths in SARIF and annotations begin. */
  readonly root?: string;
}

const isAllowable = (word: string): word is Allowable =>
  sayable.some((allowed) => allowed === word);

const parseAllowed = (text: string, earlier: readonly Allowable[] = []): readonly Allowable[] => {
  const words = text.split(',').map((word) => word.trim());
  if (!words.every(isAllowable)) {
    throw new InvalidArgumentError(`Allowed choices are ${sayable.join(', ')}.`);
  }
  return [...earlier, ...words];
};

/** @throws {InvalidArgumentError} for what is no host, such as an address */
const parseHost = (text: string, earlier: readonly string[] = []): readonly string[] => {
  const host = URL.parse(`https://${text}`)?.host;
  if (!host || !/^[^/@?#\s]+$/.test(text)) {
    throw new InvalidArgumentError('Give a host, or a host and its port: mirror.example.com:8443.');
  }
  return [...earlier, host];
};

export const pathsArgument = new Argument(
  '[path...]',
  'lockfiles, Dockerfiles, SBOMs, or folders; - for standard input; this folder unless given',
);

export const checkOptions: readonly Option[] = [
  new Option('--allow <what>', `also allow what is ${allowable.join(', or ')}`).argParser(
    parseAllowed,
  ),
  new Option(
    '--format <format>',
    'the format of the one file, if its name does not show it',
  ).choices(Object.keys(dependencyFormats)),
  new Option(
    '--registry-host <host>',
    'a host that files may come from besides the origins and the registry, such as a mirror; may be repeated',
  ).argParser(parseHost),
  new Option('--baseline <file>', 'also allow what an earlier report (--json) lists'),
  new Option('--require-closure', 'fail if a file cannot list everything that is installed'),
  new Option('--submit', 'submit unknown versions for review'),
  new Option('--because <text>', 'with --submit: the justification'),
  new Option('--sarif <file>', 'write SARIF, for code scanning; - for standard output'),
  new Option('--junit <file>', 'write JUnit XML, for test reports; - for standard output'),
  new Option('--markdown <file>', 'write Markdown, for a comment; - for standard output'),
  new Option('--root <folder>', 'the folder that paths in SARIF and annotations start from').env(
    'GITHUB_WORKSPACE',
  ),
];
