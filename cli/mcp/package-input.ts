import * as z from 'zod';
import { Ecosystem } from '../../shared/schemas/ecosystem.ts';
import { maxItems } from '../../shared/schemas/many.ts';

const longestName = 512;
const longestUrl = 2048;

export const Name = z
  .string()
  .min(1)
  .max(longestName)
  .describe('As its ecosystem writes names: @scope/name on npm, group:artifact on maven.');
export const Version = z
  .string()
  .min(1)
  .max(longestName)
  .describe('The exact version, or the tag of an image; never a range.');

export const NamedPackage = z.strictObject({
  ecosystem: Ecosystem.describe('Of images: docker.'),
  name: Name,
  version: Version,
});

export const PackageToCheck = z.union(
  [
    NamedPackage,
    z
      .string()
      .min(1)
      .max(longestUrl)
      .describe('A package URL with a version, such as pkg:npm/left-pad@1.3.0.'),
  ],
  { error: 'must be a package URL with a version, or an object of ecosystem, name and version' },
);
export type PackageToCheck = z.infer<typeof PackageToCheck>;

/** A list of as many as one request takes. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item).min(1).max(maxItems).describe(`1 to ${maxItems} of them.`);
