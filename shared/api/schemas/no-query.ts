import * as z from 'zod';

/** The query of an endpoint that takes no parameters. */
export const NoQuery = z.strictObject({});
