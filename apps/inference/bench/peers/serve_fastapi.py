"""FastAPI: one process with as many threads as there are cores. POST /{operation} with the bytes of a photograph."""

import uvicorn
from fastapi import FastAPI, Request
from photographs import PORT, Photographs

photographs = Photographs()
app = FastAPI()


@app.get("/ready")
async def ready() -> None:
    return None


@app.post("/{operation}")
async def measure(operation: str, request: Request) -> dict[str, float]:
    return await photographs.measured(operation, await request.body())


uvicorn.run(app, host="127.0.0.1", port=PORT, access_log=False, log_level="warning")
