"""A typed object on a web page, while the model writes it: a form that fills itself.

The server sends what is known of the object after each token, as Server-Sent Events; the page needs twenty lines.
"""

from __future__ import annotations

import codecs
import http.server
import threading
import urllib.request
from collections.abc import Iterator
from typing import Literal

import pydantic

import weir
from decoding import stream
from models import EchoModel
from weir import partial


class Stop(pydantic.BaseModel):
    place: str
    nights: int


class Trip(pydantic.BaseModel):
    title: str
    season: Literal["spring", "summer", "autumn", "winter"]
    stops: list[Stop]


PAGE = """<!doctype html>
<title>Trip</title>
<h1 id="title">...</h1>
<p id="season"></p>
<ul id="stops"></ul>
<script>
  const show = (id, text) => (document.getElementById(id).textContent = text ?? "");
  const source = new EventSource("/trip");
  source.onmessage = ({ data }) => {
    const trip = JSON.parse(data);
    show("title", trip.title);
    show("season", trip.season);
    document.getElementById("stops").replaceChildren(...(trip.stops ?? []).map((stop) => {
      const item = document.createElement("li");
      item.textContent = `${stop.place ?? ""} ${"nights" in stop ? `(${stop.nights})` : ""}`;
      return item;
    }));
  };
  source.addEventListener("end", () => source.close());
</script>
"""

REQUEST = "Two weeks in Norway when the nights are bright."
ANSWER = ('{"title": "Fjords and islands", "season": "summer", "stops": [{"place": "Bergen", "nights": 4}, '
          '{"place": "Lofoten", "nights": 10}]}')


def texts(model: EchoModel, compiled: weir.CompiledGrammar) -> Iterator[str]:
    """Yields the text that each token adds. In place of it: the chunks of any client, as weir.partial.text_of reads them."""
    decoder = codecs.getincrementaldecoder("utf-8")()  # a character may be split between two tokens
    for token, _ in stream(model, compiled, model.prompt(REQUEST + "\n"), max_tokens=160):
        yield decoder.decode(compiled.tokenizer_info.token_bytes(token))


def events(model: EchoModel, compiled: weir.CompiledGrammar) -> Iterator[str]:
    """Yields the trip as JSON whenever more of it is known: only the members that are written, or begun."""
    last = None
    for trip in partial.values(texts(model, compiled), Trip):
        known = trip.model_dump_json(exclude_unset=True)
        if known != last:
            yield known
        last = known


def make_server(model: EchoModel, compiled: weir.CompiledGrammar) -> http.server.ThreadingHTTPServer:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream" if self.path == "/trip" else "text/html")
            self.end_headers()
            if self.path != "/trip":
                self.wfile.write(PAGE.encode())
                return
            for known in events(model, compiled):
                self.wfile.write(f"data: {known}\n\n".encode())
                self.wfile.flush()
            self.wfile.write(b"event: end\ndata:\n\n")

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    return http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)


def main() -> None:
    model = EchoModel([f"{REQUEST}\n{ANSWER}"])
    compiled = weir.GrammarCompiler(model.tokenizer_info).compile_json_schema(Trip, profile="serving")
    server = make_server(model, compiled)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # A browser at this address shows the page; here its requests are made by hand.
    address = f"http://127.0.0.1:{server.server_port}"
    with urllib.request.urlopen(address) as page:
        print(page.read().decode().splitlines()[1])
    with urllib.request.urlopen(f"{address}/trip") as response:
        print(response.read().decode().replace("\n\n", "\n"), end="")
    server.shutdown()
    server.server_close()


if __name__ == "__main__":
    main()
