// The reference was at /docs before. Its links name an operation: /docs#createReport.
if (location.hash) location.replace(`/docs/reference${location.hash}`);
