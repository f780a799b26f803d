import { RegistryError } from '../shared/domain/errors.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { routes } from '../shared/routes.ts';
import { findLicense } from '../shared/store/licenses.ts';

export const handler = endpoint(routes.showLicense, async ({ path: { name } }) => {
  const license = await findLicense(name);
  if (license) return license;
  throw new RegistryError(
    'license_not_found',
    'There is no record of this license. Names are SPDX identifiers, such as MIT or Apache-2.0.',
  );
});
