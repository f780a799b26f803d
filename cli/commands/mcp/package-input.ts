import * as z from 'zod';
import { Hashes } from '../../../shared/api/schemas/check-request.ts';
import { Ecosystem } from '../../../shared/api/schemas/ecosystem.ts';
import { maxItems } from '../../../shared/api/schemas/many.ts';
import { UsageError } from '../../input/usage-error.ts';
import { readPackageText, type TypedPackage } from '../../many/package-text.ts';

const longestName = 512;
export const longestPackageText = 2048;

const Name = z
  .string()
  .min(1)
  .max(longestName)
  .describe('As its ecosystem writes names: @scope/name on npm, group:artifact on maven.');
const Version = z
  .string()
  .min(1)
  .max(longestName)
  .describe('The exact version, or the tag of an image; never a range.');

export const NamedPackage = z.strictObject({
  ecosystem: Ecosystem.describe('Of images: docker.'),
  name: Name,
  version: Version,
});

const PackageText = z
  .string()
  .min(1)
  .max(longestPackageText)
  .describe('npm:left-pad@1.3.0, or a package URL with a version: pkg:npm/left-pad@1.3.0.');

const oneVersion = {
  error: 'must be a package URL with a version, or an object of ecosystem, name and version',
};

export const PackageToSubmit = z.union([NamedPackage, PackageText], oneVersion);
type PackageToSubmit = z.infer<typeof PackageToSubmit>;

export const PackageToCheck = z.union(
  [NamedPackage.extend({ hashes: Hashes.optional() }), PackageText],
  oneVersion,
);
export type PackageToCheck = z.infer<typeof PackageToCheck>;

/** A package, or one version of it. */
export const PackageToShow = z.union(
  [
    NamedPackage.extend({ version: Version.optional() }),
    z
      .string()
      .min(1)
      .max(longestPackageText)
      .describe('npm:left-pad@1.3.0, or a package URL: pkg:npm/left-pad@1.3.0.'),
  ],
  { error: 'must be a package URL, or an object of ecosystem and name, and maybe version' },
);

/**
 * Parses the package or version of an agent.
 * @throws {UsageError} for text that names no package of a known ecosystem
 */
export const readPackageToShow = (
  given: z.infer<typeof PackageToShow>,
): { readonly [K in 'ecosystem' | 'name']: NonNullable<TypedPackage[K]> } & {
  readonly version?: string | undefined;
} => {
  if (typeof given !== 'string') return given;
  const { ecosystem, name, version } = readPackageText(given) ?? {};
  if (ecosystem === undefined || name === undefined) {
    throw new UsageError(
      `${given} names no package of one ecosystem: write npm:left-pad@1.3.0, or a package URL such as pkg:npm/left-pad@1.3.0.`,
    );
  }
  return { ecosystem, name, version };
};

/**
 * Parses the version of an agent.
 * @throws {UsageError} for text that names no version of a known ecosystem
 */
export const readPackageVersion = (given: PackageToSubmit): z.infer<typeof NamedPackage> => {
  if (typeof given !== 'string') return given;
  const { data } = NamedPackage.safeParse(readPackageText(given));
  if (data) return data;
  throw new UsageError(
    `${given} names no version of a package: write npm:left-pad@1.3.0, or a package URL such as pkg:npm/left-pad@1.3.0.`,
  );
};

/** Returns the schema of a list with as many items as one request takes. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item).min(1).max(maxItems).describe(`1 to ${maxItems} of them.`);
