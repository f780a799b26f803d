import { Argument, InvalidArgumentError, Option } from 'commander';
import * as routes from '../../../shared/api/routes.ts';
import { isProjectName, projectNameRule } from '../../../shared/domain/projects/project-name.ts';
import { batchName, batchNameRule } from '../../../shared/domain/review/batches.ts';
import { type Ecosystem, ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import {
  type DependencyFormat,
  dependencyFormats,
} from '../../../shared/ecosystems/lockfiles/dependency-file.ts';
import { hourMs, minuteMs } from '../../../shared/util/duration.ts';

/** The statuses that a check may allow besides approved. */
const allowable = ['pending', 'unknown', 'unpinned'] as const;
/** The values of `--allow`. Approved versions are allowed anyway. */
const allowValues = ['approved', ...allowable] as const;
type Allowable = (typeof allowValues)[number];

/** The flags of `registry check`. */
export interface CheckFlags {
  readonly allow?: readonly Allowable[];
  readonly baseline?: string;
  /** The ecosystem of named versions without one. */
  readonly ecosystem?: Ecosystem;
  /** The format of the only file. */
  readonly format?: DependencyFormat;
  /** Hosts that packages may come from, besides the origins and the registry. */
  readonly registryHost?: readonly string[];
  /** Whether each file must be able to list everything that is installed. */
  readonly requireClosure?: boolean;
  /** Whether to write the digests of approvals into files of images. */
  readonly fix?: boolean;
  readonly submit?: boolean;
  /** Whether to write the configuration of package managers in place of a check. */
  readonly setup?: boolean;
  readonly yes?: boolean;
  readonly reason?: string;
  /** The name of the submissions' batch. */
  readonly batch?: string;
  /** How long to wait for rules, in milliseconds. */
  readonly wait?: number;
  /** The project under which to record what its files list. */
  readonly record?: string;
  /** The branch or tag, the commit, and who is responsible for the project. */
  readonly ref?: string;
  readonly commit?: string;
  readonly owner?: string;
  /** Report files; `-` is standard output. */
  readonly sarif?: string;
  readonly junit?: string;
  readonly markdown?: string;
  /** The folder that paths in SARIF and annotations start from. */
  readonly root?: string;
}

const isAllowable = (word: string): word is Allowable =>
  allowValues.some((allowed) => allowed === word);

const parseAllowed = (text: string, earlier: readonly Allowable[] = []): readonly Allowable[] => {
  const words = text.split(',').map((word) => word.trim());
  if (!words.every(isAllowable)) {
    throw new InvalidArgumentError(`Allowed choices are ${allowValues.join(', ')}.`);
  }
  return [...earlier, ...words];
};

/** @throws {InvalidArgumentError} for text that is no host, such as a URL */
const parseHost = (text: string, earlier: readonly string[] = []): readonly string[] => {
  const host = URL.parse(`https://${text}`)?.host;
  if (!host || !/^[^/@?#\s]+$/.test(text)) {
    throw new InvalidArgumentError('Give a host, or a host and its port: mirror.example.com:8443.');
  }
  return [...earlier, host];
};

/** How long `--wait` waits without a value. */
const defaultWait = '10m';

const waitUnitMs: Readonly<Record<string, number>> = { s: 1000, m: minuteMs, h: hourMs };

/** @throws {InvalidArgumentError} for text that is no time such as `90s` */
const parseWait = (text: string): number => {
  const [, count, unit = ''] = /^([0-9]{1,4})([smh])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('Give a time such as 90s, 10m or 1h.');
  return Number(count) * (waitUnitMs[unit] ?? 0);
};

/** @throws {InvalidArgumentError} for text that cannot name a batch */
const parseBatch = (text: string): string => {
  if (batchName.test(text)) return text;
  throw new InvalidArgumentError(`The name ${batchNameRule}.`);
};

/** @throws {InvalidArgumentError} for text that cannot name a project */
const parseProject = (text: string): string => {
  if (isProjectName(text)) return text;
  throw new InvalidArgumentError(`The name ${projectNameRule}.`);
};

export const pathsArgument = new Argument(
  '[path...]',
  'lockfiles, Dockerfiles, SBOMs, folders, or package versions such as npm:lodash@4.17.21; - for standard input; this folder unless given',
);

/** Returns a new option with the same flags as one of a check, for a command that submits versions, too. */
export const findCheckOption = (name: 'batch' | 'wait'): Option =>
  name === 'batch'
    ? new Option('--batch <name>', 'a name for the submissions').argParser(parseBatch)
    : new Option(
        '--wait [time]',
        'how long to wait until rules have decided all that they can, such as 90s',
      )
        .argParser(parseWait)
        .preset(defaultWait);

export const checkOptions: readonly Option[] = [
  new Option(
    '--allow <what>',
    `also allow versions with these statuses, comma-separated: ${allowable.join(', ')}`,
  ).argParser(parseAllowed),
  new Option('--ecosystem <ecosystem>', 'the ecosystem of named versions without one').choices(
    ecosystems,
  ),
  new Option(
    '--format <format>',
    'the format of the one file, if its name does not show it',
  ).choices(Object.keys(dependencyFormats)),
  new Option(
    '--registry-host <host>',
    'a further host that packages may come from, such as a mirror; may be repeated',
  ).argParser(parseHost),
  new Option('--baseline <file>', 'also allow what an earlier report (--json) lists'),
  new Option('--require-closure', 'fail if a file cannot list everything that is installed'),
  new Option(
    '--fix',
    'write the digests that were approved beside the tags of images, in Dockerfiles and Compose files',
  ),
  new Option('--submit', 'submit unknown versions for review'),
  new Option('-r, --reason <text>', 'with --submit: the justification'),
  new Option('--batch <name>', 'with --submit: a name for these submissions').argParser(parseBatch),
  new Option(
    '--wait [time]',
    `with --submit: wait until rules have decided all that they can, at most this long, such as 90s; ${defaultWait} unless given`,
  )
    .argParser(parseWait)
    .preset(defaultWait),
  new Option(
    '--record <project>',
    `${routes.recordSnapshot.summary}, also if the check fails; under a name such as acme/shop`,
  ).argParser(parseProject),
  new Option(
    '--ref <ref>',
    'with --record: the branch or tag; that of the CI job unless given, or main',
  ),
  new Option(
    '--commit <commit>',
    'with --record: the commit; that of the CI job unless given, in GitHub Actions and GitLab',
  ),
  new Option('--owner <text>', 'with --record: who is responsible for the project'),
  new Option(
    '--setup',
    'write the configuration with which the package managers of the project use the gate, and check nothing',
  ),
  new Option('--yes', 'with --setup: write without a question'),
  new Option('--sarif <file>', 'write SARIF, for code scanning; - for standard output'),
  new Option('--junit <file>', 'write JUnit XML, for test reports; - for standard output'),
  new Option('--markdown <file>', 'write Markdown, for a comment; - for standard output'),
  new Option('--root <folder>', 'the folder that paths in SARIF and annotations start from').env(
    'GITHUB_WORKSPACE',
  ),
];
