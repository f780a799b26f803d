import * as routes from '../shared/api/routes.ts';
import { isFourEyed } from '../shared/api/settings/env.ts';
import { checkDeciderName } from '../shared/domain/tokens/given-name.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { decideLicense } from '../shared/use-cases/licensing/decide-license.ts';

export const handler = protectedEndpoint(routes.setLicense, ({ path, body, giver, write }) => {
  const rules = { fourEyes: isFourEyed() };
  checkDeciderName({ field: 'reviewed_by', name: body.reviewed_by }, giver, rules);
  return decideLicense(path.name, body, write);
});
