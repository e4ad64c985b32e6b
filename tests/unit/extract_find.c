/* What is found in texts and code of posts, kind by kind. */
#include "extract/extract.h"

#include "base/buf.h"
#include "tests/tap.h"

static void add_name(void *context, struct str name, bool asked)
{
    struct buf *out = context;

    buf_add_format(out, "%s%s%.*s", out->len > 0 ? "|" : "", asked ? "?" : "",
                   STR_ARG(name));
}

static const struct {
    const char *name;
    enum extract_what what;
    const char *title, *prose, *code, *answer;
    const char *found;
} rows[] = {
    {"imports", EXTRACT_APIS, "", "",
     "import tensorflow as tf\nfrom keras.layers import Dense, Conv2D as C\n"
     "x = tf.nn.relu(C(3)(Dense(4)))",
     NULL, "tensorflow.nn.relu|keras.layers.Conv2D|keras.layers.Dense"},
    {"an import over several lines", EXTRACT_APIS, "", "",
     "from keras.layers import (Dense,\n   LSTM)\nm.add(LSTM(3))", NULL,
     "keras.layers.LSTM"},
    {"no imports", EXTRACT_APIS, "", "", "y = np.zeros(3); tf.add(1, 2)", NULL,
     "numpy.zeros|tensorflow.add"},
    {"a variable", EXTRACT_APIS, "", "",
     "from keras.models import Sequential\nmodel = Sequential()\nmodel.fit(x)", NULL,
     "keras.models.Sequential|keras.models.Sequential.fit"},
    {"prompts and comments", EXTRACT_APIS, "", "",
     ">>> import numpy as np\n>>> np.dot(a, b) # np.outer(a)\n...\nIn [3]: np.sum(a)",
     NULL, "numpy.dot|numpy.sum"},
    {"code that does not parse", EXTRACT_APIS, "", "",
     "model = tf.keras.Model(((\n'never ends\nTraceback (most recent call last):", NULL,
     "tensorflow.keras.Model"},
    {"a trace is not the asker's code", EXTRACT_APIS, "", "",
     "import pandas as pd\ndf = pd.read_csv(x)\nTraceback (most recent call last):\n"
     "  File \"load.py\", line 3, in <module>\n    out = df.append(other)\n"
     "  File \"pandas/core.py\", line 9, \nin run\n    pd.core.check(x)\n    ~~~~~^^^\n"
     "ValueError: no\npd.concat(a)\n",
     NULL, "pandas.read_csv|pandas.concat"},
    {"a trace of IPython", EXTRACT_APIS, "", "",
     "<ipython-input-3-8a> in <module>()\n      1 np.dot(a)\n----> 2 np.sum(a)\n\n"
     "~/lib/np.py in sum(a)\n     12 np.add(a)\n\nIndexError: out\nnp.outer(a)",
     NULL, "numpy.outer"},
    {"a trace of Java", EXTRACT_APIS, "", "",
     "\tat org.tensorflow.lite.Tensor.copyTo(Tensor.java:28)\nTensor.create(x);\n", NULL,
     "Tensor.create"},
    {"the value of a function that nobody knows", EXTRACT_APIS, "", "",
     "df = load(path)\ndf.append(x)\nf = Loader()\nf.read()", NULL, "Loader|Loader.read"},
    {"Java: imports, declared classes, generics", EXTRACT_APIS, "", "",
     "import org.tensorflow.lite.Interpreter;\n\nInterpreter tflite;\n"
     "Map<Integer, Object> out = new HashMap<>();\nout.put(0, x); // Foo.bar()\n"
     "tflite.run(in, out);\nprivate float predict(float x) {\n}",
     NULL, "HashMap|Map.put|org.tensorflow.lite.Interpreter.run"},
    {"JavaScript: modules, promises, chains", EXTRACT_APIS, "", "",
     "import { from as f } from 'rxjs/observable/from';\nimport * as tf from "
     "'@tf/tfjs';\n"
     "const m = await tf.loadModel('a');\nm.predict(x);\nf(p)\n  .subscribe(v => "
     "log(v));",
     NULL, "tensorflow.loadModel|tensorflow.loadModel.predict|rxjs.observable.from.from"},
    {"C++: namespaces, smart pointers", EXTRACT_APIS, "", "",
     "std::unique_ptr<tflite::Interpreter> net;\ncv::Mat image = cv::imread(file);\n"
     "net->Invoke();\nimage.total();",
     NULL, "cv.imread|tflite.Interpreter.Invoke|cv.Mat.total"},
    {"C#", EXTRACT_APIS, "", "",
     "var reader = new StreamReader(path);\nreader.ReadToEnd();\nConsole.WriteLine(1);",
     NULL, "StreamReader|StreamReader.ReadToEnd"},
    {"Objective-C and Swift", EXTRACT_APIS, "", "",
     "NSArray *a = [NSArray arrayWithObjects:x, nil];\n"
     "VNHandler *h = [[VNHandler alloc] initWithData:d];\n\n"
     "let r = try? VNCoreMLModel(for: net)\nlet picker: UIPicker = "
     "make()\npicker.dismiss()",
     NULL,
     "NSArray.arrayWithObjects|VNHandler.initWithData|VNCoreMLModel|"
     "UIPicker.dismiss"},
    {"R", EXTRACT_APIS, "", "",
     "library(xgboost)\nd <- xgb.DMatrix(x, label = c(1, 2)) # note\nbase::mean(d)", NULL,
     "xgb.DMatrix|base.mean"},
    {"SQL", EXTRACT_APIS, "", "",
     "SELECT count(id), Substring(name, 1) -- max(x)\nFROM t WHERE id IN (1, 2)\n"
     "EXEC sys.sp_who",
     NULL, "COUNT|SUBSTRING|sys.sp_who"},
    {"two languages in one post", EXTRACT_APIS, "", "",
     "import numpy as np\nnp.zeros(3) # np.a()\n\nFoo x = new Foo(); // Bar.a()\nx.b();",
     NULL, "numpy.zeros|Foo|Foo.b"},
    {"what the code defines", EXTRACT_APIS, "", "",
     "class Net(nn.Module):\n  def Run(self):\n    pass\nn = Net()\nRun()", NULL, ""},
    {"methods without a word before them", EXTRACT_APIS, "", "",
     "class A {\n  Load(x: tf.Tensor, y?: number) {\n    return x;\n  }\n"
     "  Save({ a, b }, ...rest) {\n    Load(a);\n  }\n}\nSave(1);\nKeep(1);",
     NULL, "Keep"},
    {"a call with a block behind it defines nothing", EXTRACT_APIS, "", "",
     "val x = 1;\nButton(onClick = f) {\n  Text(\"Go\") {\n  }\n}\n"
     "VStack(alignment: .leading) {\n}\nLink(action: go) {\n}\n"
     "Card(Modifier(x)) {\n}\n",
     NULL, "Button|Text|VStack|Link|Card|Modifier"},
    {"with and self", EXTRACT_APIS, "", "",
     "with tf.Session() as sess:\n  sess.run(x)\nself.s = tf.Graph()\nself.s.seed(1)",
     NULL,
     "tensorflow.Session|tensorflow.Session.run|tensorflow.Graph|tensorflow.Graph.seed"},
    {"settings of other languages", EXTRACT_SETTINGS, "", "",
     "m.compile({loss: 'mse', learningRate: 0.1});\nx = {'batch_size': 32}", NULL,
     "loss = mse|learning_rate = 0.1|batch_size = 32"},
    {"versions as package managers have them", EXTRACT_VERSIONS, "", "",
     "six>=1.10.0\nimplementation 'com.google.code.gson:gson:2.8.5'\ngrpcio 1.9.0\n"
     "numpy==1.6.2",
     NULL, "NumPy 1.6.2|gRPC 1.9.0|six 1.10.0|gson 2.8.5"},
    {"versions without a point", EXTRACT_VERSIONS, "CUDA 9 and Xcode 9",
     "python3 as well", "cuda 7", NULL, "CUDA 9|Python 3|Xcode 9"},
    {"a version and what it does not fit", EXTRACT_MISFITS, "",
     "CoreML only works with Python 2.7. TF Serving 1.9 is fine.", "", NULL,
     "Core ML with Python other than 2.7"},
    {"the pair that does not fit, not the one that does", EXTRACT_MISFITS, "",
     "numpy 1.19.5 is incompatible with tensorflow 2.5, which requires numpy 1.20", "",
     NULL, "NumPy 1.19.5 with TensorFlow 2.5"},
    {"what a version requires", EXTRACT_MISFITS, "",
     "TensorFlow 1.5 requires CUDA 9.0 and cuDNN 7 or later.", "", NULL,
     "CUDA other than 9.0 with TensorFlow 1.5|TensorFlow 1.5 with cuDNN older than 7"},
    {"more than a version", EXTRACT_MISFITS, "",
     "opencv 4.1.2 requires more than Python 3.4.", "", NULL,
     "OpenCV 4.1.2 with Python 3.4"},
    {"what it is on", EXTRACT_MISFITS, "",
     "Try coremltools. Note that it does not work with Python 3.x", "", NULL,
     "Python 3.x with coremltools"},
    {"required by", EXTRACT_MISFITS, "", "CUDA 9.0 is required by TensorFlow 1.12.", "",
     NULL, "CUDA other than 9.0 with TensorFlow 1.12"},
    {"needed for", EXTRACT_MISFITS, "", "You need CUDA 9.0 for TensorFlow 1.12.", "",
     NULL, "CUDA other than 9.0 with TensorFlow 1.12"},
    {"downgraded for", EXTRACT_MISFITS, "",
     "I had to downgrade Python to 3.6 for TensorFlow 1.12.", "", NULL,
     "Python newer than 3.6 with TensorFlow 1.12"},
    {"at least", EXTRACT_MISFITS, "", "Angular 5 requires at least RxJS 5.5.2.", "", NULL,
     "Angular 5 with RxJS older than 5.5.2"},
    {"somebody asks", EXTRACT_MISFITS, "", "Does TensorFlow 1.5 require CUDA 9?", "",
     NULL, ""},
    {"another clause", EXTRACT_MISFITS, "",
     "I use TensorFlow 1.15 (with ops that are not available for tflite) on Android 7.0.",
     "", NULL, ""},
    {"as pip says it", EXTRACT_MISFITS, "", "",
     "pip install x\nERROR: tensorflow 2.5.0 requires numpy~=1.19.2, but you have numpy "
     "1.20.0 which is incompatible.",
     NULL, "NumPy 1.20.0 with TensorFlow 2.5.0"},
    {"both before, and what fits behind", EXTRACT_MISFITS, "",
     "TensorFlow 1.12 on Python 3.7 is not supported, use Python 3.6.", "", NULL,
     "Python 3.7 with TensorFlow 1.12"},
    {"both behind", EXTRACT_MISFITS,
     "Version mismatch between CUDA 9.1 and TensorFlow 1.5", "", "", NULL,
     "CUDA 9.1 with TensorFlow 1.5"},
    {"a list of what is missing", EXTRACT_DEMAND, "", "",
     "you will need custom implementations: AsString, ParseExample.", NULL,
     "AsString|ParseExample"},
    {"an error that is cut elsewhere", EXTRACT_ERRORS, "ValueError: no such", "",
     "ValueError: no such tensor", NULL, "ValueError: no such tensor"},
    {"an error whose type stands elsewhere", EXTRACT_ERRORS, "",
     "I get the error \"no such tensor\".", "ValueError: There is no such tensor", NULL,
     "ValueError: There is no such tensor"},
    {"a state in which a program failed", EXTRACT_ERRORS, "", "",
     "E loader.cc:3] Not found: Op type not registered 'Foo'", NULL,
     "error: Op type not registered 'Foo'"},
    {"one function of a module for another", EXTRACT_CONFUSED, "", "",
     "return tf.nn.rnn(a, b)", "y = tf.nn.dynamic_rnn(c)",
     "tensorflow.nn.rnn -> tensorflow.nn.dynamic_rnn"},
    {"a sentence is no call", EXTRACT_APIS, "", "", "Keras (the library) is", NULL, ""},
    {"errors", EXTRACT_ERRORS, "ValueError", "", "KeyError: 'x3' at 12", NULL,
     "ValueError|KeyError: 'x3' at N"},
    {"versions", EXTRACT_VERSIONS, "", "I use TF 1.12 with Python 3.6.8 and CUDA v9.0",
     "tensorflow-gpu==1.4.0", NULL,
     "TensorFlow 1.12|TensorFlow 1.4.0|CUDA 9.0|Python 3.6.8"},
    {"a number is no version", EXTRACT_VERSIONS, "", "in keras 3 layers and torch 1 GPU",
     "", NULL, ""},
    {"two that do not fit", EXTRACT_MISFITS, "",
     "I like it. TensorFlow 1.4 does not work with CUDA 9.0. Python 3.6 is fine.", "",
     NULL, "CUDA 9.0 with TensorFlow 1.4"},
    {"two that do", EXTRACT_MISFITS, "", "I run TensorFlow 1.4 and CUDA 8.0.", "", NULL,
     ""},
    {"settings", EXTRACT_SETTINGS, "", "",
     "m.compile(optimizer=Adam(lr=1e-3), loss='mse')\nnb_epoch = 10\nx = y = 3\n"
     "kernel_size=(3, 3)",
     NULL,
     "optimizer = Adam|learning_rate = 0.001|loss = mse|epochs = 10|kernel_size = (3,3)"},
    {"one number, one value", EXTRACT_SETTINGS, "", "",
     "a(lr=1e-3)\nb(lr=0.001)\nc(lr=.001)\nd(lr=1E-3)\ne(epochs=10.)\nf(epochs=1e1)\n"
     "g({learningRate: 0.0010f})\nh(decay=1e-5)\nk(steps=10_000)\nl(epsilon=1e-8)",
     NULL,
     "learning_rate = 0.001|epochs = 10|decay = 0.00001|steps = 10000|epsilon = 1e-08"},
    {"one optimizer, loss, activation, padding, one value", EXTRACT_SETTINGS, "", "",
     "from keras.optimizers import Adam\nimport tensorflow as tf\na(optimizer='adam')\n"
     "b(optimizer='Adam')\nc(optimizer=Adam(lr=0.1))\n"
     "d(optimizer=tf.train.AdamOptimizer(0.1))\no = Adam()\ne(optimizer=o)\n"
     "f(activation='relu')\ng(activation=tf.nn.relu)\nh(activation='ReLU')\n"
     "i(loss='mse')\nj(loss='mean_squared_error')\nk({loss: 'meanSquaredError'})\n"
     "l(padding='SAME')\nm(padding='same')",
     NULL,
     "optimizer = Adam|learning_rate = 0.1|activation = relu|loss = mse|padding = same"},
    {"a value that goes on is not its first number", EXTRACT_SETTINGS, "", "",
     "a(validation_split=1/3)\nb(lr=10**-3)\nc(input_shape=x.shape)\nd(units=-1)", NULL,
     "units = -1"},
    {"settings of command lines", EXTRACT_SETTINGS, "", "",
     "python train.py --batch-size 32 --epochs=5 --learning_rate 1e-3 --optimizer adam\n"
     "$ run --momentum -0.5 --dropout --decay $X --weights 3 --loss-size 4; i --epochs 7",
     NULL,
     "batch_size = 32|epochs = 5|learning_rate = 0.001|optimizer = Adam|momentum = -0.5|"
     "epochs = 7"},
    {"a setting that is counted down", EXTRACT_SETTINGS, "", "",
     "while (steps-- > 3) x--;\ny = a --epochs;", NULL, ""},
    {"a command line that is changed", EXTRACT_CHANGES, "", "",
     "python train.py --epochs 5", "python train.py --epochs 50", "epochs raised"},
    {"a setting whose text does not end", EXTRACT_SETTINGS, "", "", "fit(loss='mse\nx)",
     NULL, ""},
    {"a setting that is a name", EXTRACT_SETTINGS, "", "", "fit(batch_size=size)", NULL,
     ""},
    {"hardware", EXTRACT_HARDWARE, "GTX 1080Ti or a tpu", "Tesla K80", "", NULL,
     "GTX 1080 Ti|Tesla K80|TPU"},
    {"one card, one name", EXTRACT_HARDWARE, "GTX 1080Ti",
     "GTX 1080 Ti, gtx-1080-ti, GeForce GTX1080TI, Nvidia 1080 ti, a 1080Ti", "", NULL,
     "GTX 1080 Ti"},
    {"cards that are near are others", EXTRACT_HARDWARE, "GTX 1080",
     "rtx2080ti, RTX 2080 SUPER and Quadro RTX 8000", "", NULL,
     "GTX 1080|RTX 2080 Ti|RTX 2080 Super|Quadro RTX 8000"},
    {"chips of Apple", EXTRACT_HARDWARE, "M1 Max", "my MacBook Pro M1 and an M2 chip", "",
     NULL, "Apple M1 Max|Apple M1|Apple M2|MacBook Pro"},
    {"M1 may be a matrix", EXTRACT_HARDWARE, "", "multiply M1 by M2", "", NULL, ""},
    {"phones and boards", EXTRACT_HARDWARE, "",
     "iPhone 6S Plus, iphone 8+, samsung s8, Raspberry Pi 3B+, Exynos 5422 with "
     "Mali-T628, "
     "Jetson nano, Coral Dev Board",
     "", NULL,
     "Mali-T628|Jetson Nano|Raspberry Pi 3|Coral Dev Board|Exynos 5422|iPhone 6s Plus|"
     "iPhone 8 Plus|Galaxy S8"},
    {"Linux in Windows", EXTRACT_SYSTEMS, "WSL2", "wsl 2, Windows Subsystem for Linux",
     "", NULL, "WSL 2|WSL"},
    {"a system with its version is counted once", EXTRACT_SYSTEMS, "",
     "macOS 10.14, and OS X", "on Mac OS X 10.11", NULL, "macOS 10.14|macOS|macOS 10.11"},
    {"systems", EXTRACT_SYSTEMS, "", "Ubuntu 16.04, Windows 10, android", "", NULL,
     "Ubuntu 16.04|Windows 10|Android"},
    {"a distribution is not Linux as well", EXTRACT_SYSTEMS, "",
     "Linux Mint 20, Arch Linux and Red Hat Enterprise Linux 8", "", NULL,
     "Linux Mint 20|Red Hat 8|Arch Linux"},
    {"versions of systems", EXTRACT_SYSTEMS, "iOS 14.4 and Android 8.1.0",
     "Fedora 33, Fedora, Windows Server 2019, windows server 2012 R2, Android 500", "",
     NULL,
     "Windows Server 2019|Windows Server 2012 R2|Android 8.1.0|Android|iOS 14.4|Fedora "
     "33|"
     "Fedora"},
    {"windows of a network", EXTRACT_SYSTEMS, "", "sliding windows of 10 steps", "", NULL,
     ""},
    {"a kernel that is missing", EXTRACT_DEMAND, "", "",
     "No OpKernel was registered to support Op 'Round' with these attrs", NULL, "Round"},
    {"a kernel that a processor lacks", EXTRACT_DEMAND, "", "",
     "RuntimeError: unpool2d is not implemented for CPU\nRuntimeError: this is not "
     "implemented",
     NULL, "unpool2d"},
    {"a wish", EXTRACT_DEMAND, "",
     "I wish there was a deep_merge function. I wish there was a way to do it.", "", NULL,
     "deep_merge"},
    {"what a call of one's own lacks", EXTRACT_DEMAND, "",
     "The argument axis9 is missing in my call. The parameter `n_jobs` does not exist in "
     "this. keep_dims is missing from my arguments.",
     "", NULL, ""},
    {"a layer that is not known", EXTRACT_DEMAND, "", "", "Error: Unknown layer: Lambda",
     NULL, "Lambda"},
    {"an equivalent", EXTRACT_DEMAND, "",
     "Is there an equivalent of torch.gather in Keras?", "", NULL, "torch.gather"},
    {"not supported in", EXTRACT_DEMAND, "",
     "tf.matmul is not supported in TFLite. LSTM isn't supported yet. GPU is not "
     "supported.",
     "", NULL, "tf.matmul|LSTM"},
    {"no implementation of", EXTRACT_DEMAND, "",
     "There is no implementation of RoiAlign in Keras, and no implementation for the "
     "unpooling layer.",
     "", NULL, "RoiAlign|unpooling"},
    {"no such layer", EXTRACT_DEMAND, "",
     "There is no Maxout layer in Keras. There is no hidden layer in it.", "", NULL,
     "Maxout"},
    {"missing in", EXTRACT_DEMAND, "",
     "tf.unique is missing in tfjs, and the Crop layer is missing. The file model.pb is "
     "missing in it.",
     "", NULL, "tf.unique|Crop"},
    {"the exporter to ONNX", EXTRACT_DEMAND, "", "",
     "RuntimeError: Exporting the operator adaptive_avg_pool2d to ONNX opset version 9 "
     "is "
     "not supported.",
     NULL, "adaptive_avg_pool2d"},
    {"lists of operators", EXTRACT_DEMAND, "",
     "CAST, TopKV2 and tf.where are not supported by it.",
     "unsupported operators: Foo, Bar and Baz", NULL, "Foo|Bar|Baz|CAST|TopKV2|tf.where"},
    {"without a name", EXTRACT_DEMAND, "", "It has unsupported operators.", "", NULL,
     "(not named)"},
    {"with a name the rest is not told", EXTRACT_DEMAND, "",
     "It has unsupported operators. Softmax layers are not supported.", "", NULL,
     "Softmax"},
    {"a file, a product and an abbreviation", EXTRACT_DEMAND, "",
     "model.h5 is not supported, python3 is not supported, JSON is not supported", "",
     NULL, ""},
    {"curly quotes", EXTRACT_DEMAND, "", "",
     "Not found: Op type not registered \xe2\x80\x98Resample\xe2\x80\x99 in binary", NULL,
     "Resample"},
    {"what is supported", EXTRACT_DEMAND, "It works", "All of it is supported.", "", NULL,
     ""},
    {"confused, by the target", EXTRACT_CONFUSED, "", "", "y = tf.nn.softmax(x)",
     "y = tf.nn.log_softmax(x)", "tensorflow.nn.softmax -> tensorflow.nn.log_softmax"},
    {"confused, by the arguments", EXTRACT_CONFUSED, "", "", "torch.cat([a, b], 0)",
     "torch.stack([a, b], 0)", "torch.cat -> torch.stack"},
    {"confused, by the rest of the line", EXTRACT_CONFUSED, "", "",
     "buf.getPixels(values, 0, width)", "buf.copyPixels(values, 0, width)",
     "getPixels -> copyPixels"},
    {"what is put around a call does not replace it", EXTRACT_CONFUSED, "", "",
     "y = tf.f(values, width)", "y = tf.g(tf.f(values, width))", ""},
    {"one target and nothing else", EXTRACT_CONFUSED, "", "", "y = tf.load(path)",
     "y = np.zeros(3)", ""},
    {"an answer that has both lines", EXTRACT_CONFUSED, "", "",
     "size = Buffer.allocate(4 * 224 * 3)",
     "size = Buffer.allocate(4 * 224 * 3)\n\nsize = Buffer.allocateDirect(4 * 224 * 3)",
     "Buffer.allocate -> Buffer.allocateDirect"},
    {"both have it", EXTRACT_CONFUSED, "", "", "y = tf.add(x)\ntf.sub(x)",
     "y = tf.sub(x)", ""},
    {"a setting raised", EXTRACT_CHANGES, "", "", "fit(epochs=1, loss='mse')",
     "fit(epochs=10, loss='mae')", "epochs raised|loss: mse -> mae"},
    {"several values", EXTRACT_CHANGES, "", "", "a(epochs=1)\nb(epochs=2)", "a(epochs=3)",
     ""},
    {"a value beside others that stay", EXTRACT_CHANGES, "", "",
     "a(epochs=1)\nb(epochs=2)", "a(epochs=1)\nb(epochs=3)", "epochs raised"},
    {"an argument that no table has", EXTRACT_CHANGES, "", "",
     "net(x,\n  is_training=True,\n  reuse=None)",
     "net(x,\n  is_training=False,\n  reuse=None)", "is_training: True -> False"},
    {"a setting of another layer", EXTRACT_CHANGES, "", "", "Dense(5, activation='relu')",
     "out = Conv(x, y)(z, activation='tanh')", ""},
    {"a number and a word", EXTRACT_CHANGES, "", "", "loss = 0.7", "f(loss='mse')", ""},
    {"no answer", EXTRACT_CHANGES, "", "", "a(epochs=1)", NULL, ""},
    {"rules", EXTRACT_RULES, "", "", "np.b()\nnp.a()", "np.aa()\nnp.bb()",
     "numpy.aa, then numpy.bb|?numpy.b, then numpy.a"},
};

/* What the words of an answer say beside its code. */
static const struct {
    const char *name;
    enum extract_what what;
    const char *code, *answer, *says, *found;
} said[] = {
    {"instead of", EXTRACT_CONFUSED, "s.pipe(map(f))", "s.pipe(switchMap(f))",
     "Use `switchMap` instead of `map`.", "map -> switchMap"},
    {"swapped", EXTRACT_CONFUSED, "s.flatMap(f)", "s.concatMap(f)",
     "Swap out the .flatMap() in your code with .concatMap()", "flatMap -> concatMap"},
    {"renamed", EXTRACT_CONFUSED, "tf.old_name(x)", "",
     "old_name was renamed to new_name in 2.0", "tensorflow.old_name -> new_name"},
    {"words that nobody calls", EXTRACT_CONFUSED, "tf.add(x)", "",
     "Use paper instead of wood, and glue instead of add.", ""},
    {"a variant", EXTRACT_CONFUSED, "s.retry(10)", "s.retryWhen(f)",
     "You can use retryWhen for that.", "retry -> retryWhen"},
    {"lowered", EXTRACT_CHANGES, "fit(x)", "",
     "You should reduce the learning rate. The loss was reduced.",
     "learning_rate lowered"},
};

int main(void)
{
    struct extract_reader *reader = extract_open();
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct extract_text question = {.title = str_from(rows[i].title),
                                        .prose = str_from(rows[i].prose),
                                        .code = str_from(rows[i].code)},
                            answer = {.code = str_from(rows[i].answer)};
        tap_case("%s: %s", extract_kinds[rows[i].what].name, rows[i].name);
        buf_clear(&out);
        extract_find(reader, rows[i].what, &question,
                     rows[i].answer != NULL ? &answer : NULL, add_name, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, rows[i].found);
    }
    for (size_t i = 0; i < ROWS(said); i++) {
        struct extract_text question = {.code = str_from(said[i].code)},
                            answer = {.code = str_from(said[i].answer),
                                      .prose = str_from(said[i].says)};
        tap_case("%s, said: %s", extract_kinds[said[i].what].name, said[i].name);
        buf_clear(&out);
        extract_find(reader, said[i].what, &question, &answer, add_name, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, said[i].found);
    }
    tap_case("versions: tags and imports of the items");
    {
        struct extract_text question = {
            .title = STR("gdal 3.4 and dask 2.1"),
            .prose =
                STR("My version is geopandas 2.0.1 on Python 3.6, dask v2.2, loss 0.25, "
                    "loss: 1.25, polars 0.5, dask 1.2, server 10.0.0.1, gdal 0.9, "
                    "nothing 1.2.3, Linux 4.1.5, shapely 1.8"),
            .code = STR("import shapely\npolars==0.19\nloss = 0.5\ndask 1.5\n"),
            .tags = STR("<gdal><loss>")};
        extract_know(reader, STR("<GeoPandas><dask><polars><linux>"));
        extract_know(reader, STR("<server>"));
        buf_clear(&out);
        extract_find(reader, EXTRACT_VERSIONS, &question, NULL, add_name, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, "Python 3.6|polars 0.19|gdal 3.4|geopandas 2.0.1|dask 2.2|"
                            "shapely 1.8");
    }
    extract_close(reader);
    buf_free(&out);
    return tap_done();
}
