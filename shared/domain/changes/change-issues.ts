import { dayMs } from '../../util/duration.ts';
import type { Change } from './compare-releases.ts';
import type { ChangeField, Release } from './release.ts';

/** Codes of issues in the changes since an earlier version. */
export const changeIssueCodes = [
  'new_dependency_young',
  'install_scripts_added',
  'publisher_changed',
  'provenance_lost',
  'repository_changed',
] as const;
type ChangeIssueCode = (typeof changeIssueCodes)[number];

/** Codes of issues that the worker of upstream metadata finds by comparisons: with an earlier version and with other names. */
export const comparisonCodes = [...changeIssueCodes, 'similar_name'] as const;
export type ComparisonCode = (typeof comparisonCodes)[number];

/** Result of the comparisons of a version, for decisions and rules. */
export interface Comparison {
  /** Earlier version that it was compared with; null if there is none. */
  readonly since: string | null;
  readonly issues: readonly { readonly code: ComparisonCode; readonly message: string }[];
  /** Codes that could not be checked, since a value is unknown. */
  readonly unknown: readonly ComparisonCode[];
}

/** Added dependency without an approved version, with its first publication (ISO 8601); null if that is unknown. */
export interface AddedDependency {
  readonly name: string;
  readonly first_published_at: string | null;
}

/** Comparison of a version with an earlier one, with what is known of its publisher and its added dependencies. */
export interface ComparedVersion {
  /** Earlier version. */
  readonly since: string;
  /** True if somebody approved the earlier version. Many packages move to another repository at some time. */
  readonly isApproved: boolean;
  readonly before: Release;
  readonly after: Release;
  readonly changes: readonly Change[];
  /** Fields that could not be compared, at least in part. */
  readonly unknown: readonly ChangeField[];
  /** Accounts that published the 20 versions up to the earlier one; undefined if they are unknown. */
  readonly earlierPublishers: readonly string[] | undefined;
  readonly added: readonly AddedDependency[];
  /** True if another added dependency comes from no registry, such as one from Git. Its age is unknown. */
  readonly hasUnreadable: boolean;
}

/** Age in days below which an added dependency counts as young. */
const youngDependencyDays = 30;

/** Maximum number of entries and of characters of a value that a message names. */
const mostNamed = 3;
const longestValue = 100;

const shorten = (text: string): string =>
  text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;

const listNames = (names: readonly string[]): string => {
  const rest = names.length - mostNamed;
  const named = names.slice(0, mostNamed).map(shorten).join(', ');
  return rest > 0 ? `${named} and ${rest} more` : named;
};

const isKnown = (release: Release, field: ChangeField): boolean =>
  release.some(
    (one) => one.field === field && ('value' in one ? one.value : one.entries) !== undefined,
  );

const findValue = (release: Release, field: ChangeField): string | null | undefined => {
  const found = release.find((one) => one.field === field);
  return found && 'value' in found ? found.value : undefined;
};

/** Message of an issue, `unknown` if it cannot be checked; undefined if there is no issue. */
type Finding = { readonly message: string } | 'unknown' | undefined;

/** True if a value of the earlier version is known that is unknown now: an attack could hide behind that. */
const isHidden = ({ before, after }: ComparedVersion, field: ChangeField): boolean =>
  isKnown(before, field) && !isKnown(after, field);

const findYoungDependencies = (version: ComparedVersion, now: Date): Finding => {
  const isYoung = ({ first_published_at }: AddedDependency) =>
    first_published_at !== null &&
    Date.parse(first_published_at) > now.getTime() - youngDependencyDays * dayMs;
  const young = version.added.filter(isYoung);
  if (young.length > 0) {
    const named = young.map(({ name, first_published_at }) => `${name} (${first_published_at})`);
    const message = `${version.since} does not have these dependencies, which were first published less than ${youngDependencyDays} days ago: ${listNames(named)}.`;
    return { message };
  }
  const isUnknown =
    version.hasUnreadable ||
    version.unknown.includes('dependencies') ||
    version.added.some(({ first_published_at }) => first_published_at === null);
  return isUnknown ? 'unknown' : undefined;
};

/** True if a version of PyPI has lost its wheels: the build of a source archive runs code at installation. */
const hasLostWheels = ({ changes }: ComparedVersion): boolean =>
  changes.some(
    ({ field, change, name }) =>
      field === 'distributions' && change === 'removed' && name === 'wheel',
  );

const findAddedScripts = (version: ComparedVersion): Finding => {
  if (hasLostWheels(version)) {
    return {
      message: `It has no wheel, in contrast to ${version.since}: the build of its source archive runs code at installation.`,
    };
  }
  const scripts = version.changes.filter(
    ({ field, change }) => field === 'install_scripts' && change !== 'removed',
  );
  if (scripts.length > 0) {
    const named = scripts.map(({ name, change }) => `${name} (${change})`);
    return {
      message: `It runs scripts at installation that ${version.since} does not run: ${listNames(named)}.`,
    };
  }
  return version.unknown.includes('install_scripts') ? 'unknown' : undefined;
};

const findOtherPublisher = (version: ComparedVersion): Finding => {
  const { since, before, after, earlierPublishers } = version;
  const publisher = findValue(after, 'publisher');
  if (typeof publisher !== 'string') return isHidden(version, 'publisher') ? 'unknown' : undefined;
  const isSame = findValue(before, 'publisher') === publisher;
  // An account that was taken over is one of the maintainers, too.
  if (isSame) return undefined;
  if (earlierPublishers === undefined) return 'unknown';
  if (earlierPublishers.includes(publisher)) return undefined;
  const message = `Its publisher, ${shorten(publisher)}, published none of the 20 versions up to ${since}.`;
  return { message };
};

const findLostProvenance = (version: ComparedVersion): Finding => {
  const isLost = version.changes.some(
    ({ field, change }) => field === 'provenance' && change === 'removed',
  );
  if (isLost) {
    return { message: `${version.since} has a provenance attestation, and this version has none.` };
  }
  return isHidden(version, 'provenance') && findValue(version.before, 'provenance') !== null
    ? 'unknown'
    : undefined;
};

/** Returns what identifies a repository in its address, regardless of the protocol and of a folder in the repository. */
const toRepositoryKey = (address: string): string => {
  const { host, pathname } = URL.parse(address) ?? { host: '', pathname: address };
  const path = pathname.replace(/\/(?:-\/)?(?:tree|blob)\/.*$/, '').replace(/(?:\.git)?\/*$/, '');
  return `${host.replace(/^www\./, '')}${path}`.toLowerCase();
};

/** Returns why two addresses are not of one repository; undefined if they are, or if the earlier one is unknown. */
const compareRepositories = (
  what: string,
  since: string,
  [earlier, own]: readonly (string | null | undefined)[],
): Finding => {
  if (typeof earlier !== 'string') return undefined;
  if (own === undefined) return 'unknown';
  if (own === null) {
    return { message: `It names no ${what}, and ${since} names ${shorten(earlier)}.` };
  }
  if (toRepositoryKey(earlier) === toRepositoryKey(own)) return undefined;
  return { message: `Its ${what} is ${shorten(own)}, and that of ${since} ${shorten(earlier)}.` };
};

const findOtherRepository = (version: ComparedVersion): Finding => {
  const { since, isApproved, before, after } = version;
  if (!isApproved) return undefined;
  const find = (field: ChangeField) => [before, after].map((release) => findValue(release, field));
  const source = find('provenance_repository');
  // Lost or unchecked provenance is an issue of its own, or a matter of the next check.
  const isBuilt = source.every((one) => typeof one === 'string');
  const built = isBuilt
    ? compareRepositories('repository according to its provenance', since, source)
    : undefined;
  return built ?? compareRepositories('repository', since, find('repository'));
};

/** Returns the issues in the changes since an earlier version, and the codes that could not be checked. */
export const listChangeIssues = (
  version: ComparedVersion,
  now: Date,
): Pick<Comparison, 'issues' | 'unknown'> => {
  const findings: Readonly<Record<ChangeIssueCode, Finding>> = {
    new_dependency_young: findYoungDependencies(version, now),
    install_scripts_added: findAddedScripts(version),
    publisher_changed: findOtherPublisher(version),
    provenance_lost: findLostProvenance(version),
    repository_changed: findOtherRepository(version),
  };
  return {
    issues: changeIssueCodes.flatMap((code) => {
      const finding = findings[code];
      return typeof finding === 'object' ? [{ code, message: finding.message }] : [];
    }),
    unknown: changeIssueCodes.filter((code) => findings[code] === 'unknown'),
  };
};

/** Returns the issue of a name that resembles approved ones, if there are any. */
export const listNameIssues = (similar: readonly string[]): Comparison['issues'] =>
  similar.length === 0
    ? []
    : [
        {
          code: 'similar_name',
          message: `No version of this name was ever approved, and it resembles an approved one: ${listNames(similar)}. Check that it is the package that you want.`,
        },
      ];
