/** Identifiers of the public contract that contain a product name. They are written here only. */

export const SOURCE_CHANNELS = ['partner_api', 'atrace_console', 'mobile_web'] as const;

export const ASSET_SOURCE_KINDS = ['partner_url', 'atrace_upload'] as const;

export const TEMPLATE_KEYS = ['tire_4t_2s', 'tire_4t_4s', 'tire_4t_0s'] as const;
