import { isFourEyed } from '../shared/config/env.ts';
import { checkDeciderName } from '../shared/domain/given-name.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { decideLicense } from '../shared/licensing/decide-license.ts';
import { routes } from '../shared/routes.ts';

export const handler = protectedEndpoint(routes.setLicense, ({ path, body, giver, write }) => {
  const rules = { fourEyes: isFourEyed() };
  checkDeciderName({ field: 'reviewed_by', name: body.reviewed_by }, giver, rules);
  return decideLicense(path.name, body, write);
});
