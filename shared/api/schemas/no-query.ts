import * as z from 'zod';

/** Query of an endpoint without query parameters. */
export const NoQuery = z.strictObject({});
