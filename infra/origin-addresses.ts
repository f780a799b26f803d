import { PackageURL, UrlConverter } from '@socketregistry/packageurl-js';
import { byEcosystem, type Ecosystem, ecosystems } from '../shared/ecosystems/ecosystem.ts';

/** A package of each ecosystem, and what of its address is the package's and not the origin's. */
const examples: Readonly<Record<Ecosystem, readonly [purl: string, own: RegExp]>> = {
  npm: ['pkg:npm/a@1.0.0', /a\/-\/a-1\.0\.0\.tgz$/],
  pypi: ['pkg:pypi/a@1.0.0', /simple\/a\/$/],
  maven: ['pkg:maven/a/b@1.0.0', /a\/b\/1\.0\.0\/b-1\.0\.0\.jar$/],
  // Its API answers at the host of its pages.
  docker: ['pkg:docker/a/b@1.0.0', /r\/a\/b\?.*$/],
};

const findAddress = (ecosystem: Ecosystem): string => {
  const [purl, own] = examples[ecosystem];
  const { download, repository } = UrlConverter.getAllUrls(PackageURL.fromString(purl));
  const url = (download ?? repository)?.url ?? '';
  if (own.test(url)) return url.replace(own, '');
  throw new Error(`No address of an origin of ${ecosystem} packages can be told from ${url}`);
};

/** Where the packages of each ecosystem come from unless a setting says otherwise, as package URLs are resolved. */
export const originAddresses = (): Readonly<Record<Ecosystem, string>> =>
  byEcosystem(ecosystems, findAddress);
