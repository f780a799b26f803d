import { makeOpenApiDocument } from './document.ts';

/** The document of the API, worked out when the function that serves it is bundled. */
export default makeOpenApiDocument();
