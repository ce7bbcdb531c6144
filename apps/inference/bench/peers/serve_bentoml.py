"""BentoML: one worker with as many threads as there are cores. POST /{operation} with the bytes of a photograph."""

import bentoml
from photographs import THREADS, Photographs


@bentoml.service(workers=1, threads=THREADS, traffic={"timeout": 120})
class Tires:
    def __init__(self) -> None:
        self.photographs = Photographs()

    @bentoml.api(route="/tire.tread")
    def tread(self, photograph: bytes, /) -> dict[str, float]:
        return self.photographs.measure("tire.tread", photograph)

    @bentoml.api(route="/tire.sidewall")
    def sidewall(self, photograph: bytes, /) -> dict[str, float]:
        return self.photographs.measure("tire.sidewall", photograph)
