// Prints the error of `init` for the address that is the argument.
import { init } from "weir";

await init(process.argv[2]).catch((error) => console.log(error.name, error.code));
