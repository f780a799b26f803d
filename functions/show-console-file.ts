import files from '../console/files.build.ts';
import { pages } from '../shared/api/non-api-routes.ts';
import { RegistryError } from '../shared/domain/errors.ts';
import { readGreedyPath } from '../shared/platform/http/gateway-request.ts';
import { page } from '../shared/platform/http/non-api-endpoint.ts';

/** Cache header of console files. A file's name contains a hash of its content, so clients may cache it for ever. */
const forever = 'public, max-age=31536000, immutable';

export const handler = page(pages.showConsoleFile, (event) => {
  const wanted = readGreedyPath(event);
  const file = files.find(({ name }) => name === wanted);
  if (!file) {
    const detail = 'The console has no such file: load it anew, there may be a later one.';
    throw new RegistryError('route_not_found', detail);
  }
  const headers = { 'Content-Type': file.contentType, 'Cache-Control': forever };
  return { text: file.text, headers };
});
