import type { Ecosystem } from '../ecosystem.ts';

/** One version of a package that a project uses: the name as the registry spells it, the version as the file does. */
export interface Dependency {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** Of an image its digest, where there is one: that is what is pulled, whatever tag stands beside it. */
  readonly version: string;
  /** The tag beside a digest. */
  readonly tag?: string | undefined;
  /** As the file states it, unchecked. */
  readonly license?: string | undefined;
  /** Where the file pins it, from 1. */
  readonly line?: number | undefined;
  /**
   * The shortest way from what the project itself asks for down to what asks for this, each as `name@version`; empty
   * for what the project asks for. Undefined where the file does not tell.
   */
  readonly through?: readonly string[] | undefined;
  /** Hashes of the files that are installed, each as `sha512-BASE64` or `sha256:HEX`; undefined where the file has none. */
  readonly hashes?: readonly string[] | undefined;
  /** Addresses of the files that are installed; undefined where the file has none. */
  readonly addresses?: readonly string[] | undefined;
}

/** What a file says of where package managers look for packages. */
export interface DeclaredSource {
  readonly ecosystem: Ecosystem;
  /** An index of packages, or a page or folder of links to files. */
  readonly kind: 'index' | 'links';
  /** An address, or a folder, without credentials. */
  readonly address: string;
  /** From 1. */
  readonly line?: number | undefined;
}

/** Why an entry of a file names no version of a package, each to complete the sentence "It …". */
export const unpinnedReasons = {
  git: 'comes from a Git repository and not from a registry',
  url: 'comes from an address of its own and not from a registry',
  file: 'comes from a folder or file of the machine and not from a registry',
  include: 'names another file, which has to be checked, too',
  range: 'allows several versions, so that nobody can tell which one is used',
  variable: 'depends on a variable that the file does not set',
  no_version: 'names no version',
  no_purl: 'has no package URL, so that nobody can tell which package it is',
  not_a_package: 'is a part of the system or a file, and no package',
  other_ecosystem: 'is a package of an ecosystem that the registry does not know',
  contradiction: 'stands in the file twice, and the two entries name different content',
  unreadable: 'cannot be understood',
} as const;

export type UnpinnedReason = keyof typeof unpinnedReasons;

/** An entry of which cannot be told which version of which package it is. */
export interface Unpinned {
  /** The entry as the file has it, or its name; in one line. */
  readonly text: string;
  readonly reason: UnpinnedReason;
  /** Where it comes from, or what is wrong with it. */
  readonly detail?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
}

/** What is built from source when the packages of a Python file are installed. Each build installs packages of its own. */
export interface Builds {
  /** Packages without a wheel, as `name@version`. */
  readonly packages: readonly string[];
  /** Whether others may be built, too: the file does not say which of them have a wheel. */
  readonly mayBeMore: boolean;
  /** What the build of the project itself requires, as PEP 508 writes it. */
  readonly requires: readonly string[];
  /** Of a pyproject.toml that has uv install wheels alone: the packages that uv builds nevertheless. */
  readonly onlyWheels?: { readonly except: readonly string[] };
}

/** What a lockfile, a list of dependencies or a bill of materials says. */
export interface DependencyFile {
  readonly format: DependencyFormat;
  /** Each version of each package once, in the order of the file. */
  readonly dependencies: readonly Dependency[];
  readonly unpinned: readonly Unpinned[];
  /** The project's own packages, by their names, else by their folders: its root, the members of its workspace. */
  readonly own: readonly string[];
  /** Each index and page of links that the file names, once. */
  readonly sources: readonly DeclaredSource[];
  /** Why it cannot have everything that is installed, and how to get a whole one; undefined where it can. */
  readonly incomplete?: string | undefined;
  /** What readers should know besides, and what to do about it. Unlike `incomplete` it never fails a check. */
  readonly note?: string | undefined;
  /** Undefined for all but files of Python. */
  readonly builds?: Builds | undefined;
  /** Plugins and extensions that a POM names, as `group:artifact:version`, without the version where another POM sets it. */
  readonly plugins?: readonly string[] | undefined;
}

/** The formats, each with what it is called; the names are those that files of it mostly have. */
export const dependencyFormats = {
  'package-lock.json': 'the lockfile of npm',
  'pnpm-lock.yaml': 'the lockfile of pnpm',
  'yarn.lock': 'the lockfile of Yarn',
  'bun.lock': 'the lockfile of Bun',
  'requirements.txt': "a file of pip's requirements",
  'poetry.lock': 'the lockfile of Poetry',
  'uv.lock': 'the lockfile of uv',
  'Pipfile.lock': 'the lockfile of Pipenv',
  'pdm.lock': 'the lockfile of PDM',
  'pylock.toml': 'a lockfile of Python (PEP 751)',
  'pyproject.toml': 'a pyproject.toml, for what the build of the project requires',
  'pom.xml': 'a POM of Maven',
  'gradle.lockfile': 'a lockfile of Gradle',
  'maven-list': 'what mvn dependency:list or dependency:tree prints',
  Dockerfile: 'a Dockerfile',
  'compose.yaml': 'a Compose file',
  cyclonedx: 'a CycloneDX document, as JSON',
  spdx: 'an SPDX 2 document, as JSON',
} as const;

export type DependencyFormat = keyof typeof dependencyFormats;

/** A file that cannot be read as what it is; the message says what is wrong and what to do. */
export class UnreadableDependencyFileError extends Error {
  override readonly name: string = 'UnreadableDependencyFileError';
}

/** Neither its name nor its content tells of which format a file is. */
export class UnknownFormatError extends UnreadableDependencyFileError {
  override readonly name = 'UnknownFormatError';

  constructor() {
    const titles = Object.values(dependencyFormats).join('; ');
    super(
      `Neither its name nor its content tells of which format it is. Name the format; there are: ${titles}.`,
    );
  }
}
