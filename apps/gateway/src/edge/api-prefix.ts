export const API_PREFIX = '/api/v1';
export const CONSOLE_PREFIX = '/console/api';
