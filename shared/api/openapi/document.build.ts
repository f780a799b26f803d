import { makePublishedDocument } from './document.ts';

/** OpenAPI document, generated when the function that serves it is bundled. */
export default makePublishedDocument();
