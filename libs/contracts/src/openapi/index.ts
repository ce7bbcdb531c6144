export { openapiJson } from './api-document';
export { consoleOpenapiJson } from './console-document';
export { COMMON_ERRORS } from './error-responses';
export { readyContentExample } from '../operations/examples/content';
export { reportExample } from '../operations/examples/reports';
