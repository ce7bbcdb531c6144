export { openapiJson } from './api-document';
export { consoleOpenapiJson } from './console-document';
export { COMMON_ERRORS } from './error-responses';
export { reportExample } from '../operations/examples/reports';
