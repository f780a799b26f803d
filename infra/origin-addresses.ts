import { PackageURL, UrlConverter } from '@socketregistry/packageurl-js';
import { byEcosystem, type Ecosystem, ecosystems } from '../shared/ecosystems/ecosystem.ts';

/** An example package of each ecosystem, and the end of its URL, which follows the address of the upstream registry. */
const examples: Readonly<Record<Ecosystem, readonly [purl: string, own: RegExp]>> = {
  npm: ['pkg:npm/a@1.0.0', /a\/-\/a-1\.0\.0\.tgz$/],
  pypi: ['pkg:pypi/a@1.0.0', /simple\/a\/$/],
  maven: ['pkg:maven/a/b@1.0.0', /a\/b\/1\.0\.0\/b-1\.0\.0\.jar$/],
  // The API has the same host as the web pages.
  docker: ['pkg:docker/a/b@1.0.0', /r\/a\/b\?.*$/],
};

const findAddress = (ecosystem: Ecosystem): string => {
  const [purl, own] = examples[ecosystem];
  const { download, repository } = UrlConverter.getAllUrls(PackageURL.fromString(purl));
  const url = (download ?? repository)?.url ?? '';
  if (own.test(url)) return url.replace(own, '');
  throw new Error(`${url} does not contain the address of an upstream registry for ${ecosystem}`);
};

/** Returns the default address of each upstream registry, as the resolver of package URLs knows it. */
export const originAddresses = (): Readonly<Record<Ecosystem, string>> =>
  byEcosystem(ecosystems, findAddress);
