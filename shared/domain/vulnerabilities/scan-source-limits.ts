import { RegistryError } from '../errors.ts';
import { formatPackage } from '../packages/format-package.ts';
import type { PackageId } from '../packages/package-id.ts';
import { formatTools, isOwn, type ScanSource } from './scan-source.ts';

/** Maximum uploaded scan sources of a version. The registry's own scanner is not counted. */
const maxUploadedSources = 10;

/** Maximum scan sources from submit-only tokens together. The rest is reserved for tokens that may review. */
const maxSubmittedSources = 6;

/** Maximum scan sources from submit-only tokens of one label, or from one token without a label. */
const maxSourcesOfSubmitter = 3;

const listTools = (sources: readonly ScanSource[]): string =>
  sources.map(({ tools }) => formatTools(tools)).join('; ');

const refuse = (message: string): RegistryError => new RegistryError('too_many_tools', message);

const checkSubmitter = (
  id: PackageId,
  submitted: readonly ScanSource[],
  { sender, label }: ScanSource,
): void => {
  const own = submitted.filter((one) => one.sender === sender);
  const next =
    'Send a scan by one of these tools, which replaces its earlier scan, or ask a reviewer to dismiss one (registry scan dismiss).';
  if (own.length >= maxSourcesOfSubmitter) {
    const who = label === null ? 'your token' : `the label ${label}`;
    throw refuse(
      `${formatPackage(id)} already has scans of ${own.length} tools by ${who} (${listTools(own)}), the maximum for submit-only tokens. ${next}`,
    );
  }
  if (submitted.length >= maxSubmittedSources) {
    throw refuse(
      `${formatPackage(id)} already has ${submitted.length} scans by submit-only tokens (${listTools(submitted)}), the maximum for one version. Ask a reviewer to dismiss one (registry scan dismiss), or to send this scan.`,
    );
  }
};

const compareDispensable = (one: ScanSource, other: ScanSource): number =>
  Number(one.may_review) - Number(other.may_review) || (one.scan_date < other.scan_date ? -1 : 1);

/**
 * Returns the scan source that a new one replaces, or undefined if there is room. Only a source without findings is
 * ever replaced: submit-only tokens first, then the oldest. So no upload hides the findings of another.
 * @throws {RegistryError} `too_many_tools` if there is no room for it
 */
export const makeRoomForSource = (
  id: PackageId,
  sources: readonly ScanSource[],
  {
    source,
    hasFindings,
  }: { readonly source: ScanSource; readonly hasFindings: (source: ScanSource) => boolean },
): ScanSource | undefined => {
  if (isOwn(source) || sources.some((one) => one.id === source.id)) return undefined;
  const uploaded = sources.filter((one) => !isOwn(one));
  if (!source.may_review) {
    checkSubmitter(
      id,
      uploaded.filter((one) => !one.may_review),
      source,
    );
  }
  if (uploaded.length < maxUploadedSources) return undefined;
  const dispensable = uploaded.filter((one) => !hasFindings(one)).sort(compareDispensable)[0];
  if (source.may_review && dispensable) return dispensable;
  throw refuse(
    `${formatPackage(id)} already has scans of ${uploaded.length} tools and tokens (${listTools(uploaded)}), the maximum for one version. Dismiss one of them first (registry scan dismiss).`,
  );
};
