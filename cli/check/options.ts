import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type DependencyFormat,
  dependencyFormats,
} from '../../shared/ecosystems/lockfiles/dependency-file.ts';

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

/** Declares what the command takes. */
export const declareCheck = (command: Command): Command =>
  command
    .argument(
      '[path...]',
      'lockfiles, Dockerfiles, bills of materials, or folders of them; - for standard input; this folder, if not given',
    )
    .option('--allow <what>', `let pass what is ${allowable.join(', or ')}, too`, parseAllowed)
    .addOption(
      new Option('--format <format>', 'what the one file is, where its name does not tell').choices(
        Object.keys(dependencyFormats),
      ),
    )
    .option(
      '--registry-host <host>',
      'a host, such as that of a mirror, that files may come from besides the origins and the registry; may be repeated',
      parseHost,
    )
    .option('--baseline <file>', 'let pass what an earlier report (--json) has, too')
    .option('--require-closure', 'fail where a file cannot have everything that is installed')
    .option('--submit', 'submit for review what nobody submitted')
    .option('--because <text>', 'with --submit: why it is wanted')
    .option('--sarif <file>', 'write SARIF, for code scanning; - for standard output')
    .option('--junit <file>', 'write JUnit XML, for test reports; - for standard output')
    .option('--markdown <file>', 'write Markdown, for a comment; - for standard output')
    .addOption(
      new Option('--root <folder>', 'where paths in SARIF and annotations begin').env(
        'GITHUB_WORKSPACE',
      ),
    );
