import { RegistryError } from '../errors.ts';
import type { PackageId } from '../packages/package-id.ts';
import { formatTools, isOwn, type Slot } from './scan-source.ts';

/** How many slots of uploads a version may have. The registry's own scanner has one besides. */
const maxUploadedSlots = 10;

/** How many of these tokens that may only submit can fill together: the rest is left to those that may review. */
const maxSubmittedSlots = 6;

/** How many of these tokens of one label can fill that may only submit, or one token without a label. */
const maxSlotsOfSubmitter = 3;

const listTools = (slots: readonly Slot[]): string =>
  slots.map(({ tools }) => formatTools(tools)).join('; ');

const refuse = (message: string): RegistryError => new RegistryError('too_many_tools', message);

const checkSubmitter = (
  { name, version }: PackageId,
  submitted: readonly Slot[],
  { sender, label }: Slot,
): void => {
  const own = submitted.filter((one) => one.sender === sender);
  const next =
    'Send a scan by one of them, which takes the place of the one before it, or ask somebody who may review to retire one (registry scan retire).';
  if (own.length >= maxSlotsOfSubmitter) {
    const who = label === null ? 'your token' : `the label ${label}`;
    throw refuse(
      `${name} ${version} has scans of ${own.length} tools by ${who} already (${listTools(own)}), which is as many as a token that may only submit can send. ${next}`,
    );
  }
  if (submitted.length >= maxSubmittedSlots) {
    throw refuse(
      `${name} ${version} has ${submitted.length} scans by tokens that may only submit already (${listTools(submitted)}), which is as many as it may have. The other places are left to tokens that may review. Ask somebody who may review to retire one (registry scan retire), or to send this scan.`,
    );
  }
};

const compareDispensable = (one: Slot, other: Slot): number =>
  Number(one.may_review) - Number(other.may_review) || (one.scan_date < other.scan_date ? -1 : 1);

/**
 * Returns the slot that has to go for a new one, or undefined if a place is free. Only a slot without any finding ever
 * goes, the oldest first, and those of tokens that may only submit before others: so no upload hides what another found.
 * @throws {RegistryError} `too_many_tools` if there is no place for it
 */
export const makePlace = (
  id: PackageId,
  slots: readonly Slot[],
  { slot, hasFindings }: { readonly slot: Slot; readonly hasFindings: (slot: Slot) => boolean },
): Slot | undefined => {
  if (isOwn(slot) || slots.some((one) => one.id === slot.id)) return undefined;
  const uploaded = slots.filter((one) => !isOwn(one));
  if (!slot.may_review) {
    checkSubmitter(
      id,
      uploaded.filter((one) => !one.may_review),
      slot,
    );
  }
  if (uploaded.length < maxUploadedSlots) return undefined;
  const dispensable = uploaded.filter((one) => !hasFindings(one)).sort(compareDispensable)[0];
  if (slot.may_review && dispensable) return dispensable;
  throw refuse(
    `${id.name} ${id.version} has scans of ${uploaded.length} tools and tokens already (${listTools(uploaded)}), which is as many as it may have. Retire one of them first (registry scan retire).`,
  );
};
